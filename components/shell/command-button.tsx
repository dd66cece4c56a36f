"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { type Shortcut, useShortcuts } from "./use-shortcuts";

const CommandMenu = dynamic(() => import("./command-menu").then((file) => file.CommandMenu));
const ShortcutHelp = dynamic(() => import("./shortcut-help").then((file) => file.ShortcutHelp));

/** Opens the command menu, and holds the shortcuts of all pages. What they open is loaded when it is wanted. */
export function CommandButton() {
  const t = useTranslations("shell.command");
  const [open, setOpen] = useState<"menu" | "help" | null>(null);
  useShortcuts((shortcut: Shortcut) => setOpen(shortcut));
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        aria-label={t("open")}
        onClick={() => setOpen("menu")}
        className="text-subtle"
      >
        <Search aria-hidden="true" />
        <kbd className="hidden font-mono text-xs sm:inline">⌘K</kbd>
      </Button>
      {open === "menu" && <CommandMenu onClose={() => setOpen(null)} />}
      {open === "help" && <ShortcutHelp onClose={() => setOpen(null)} />}
    </>
  );
}
