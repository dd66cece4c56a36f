"use client";

import { Menu as MenuIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

const NavSheet = dynamic(() => import("./nav-sheet").then((file) => file.NavSheet));

/** The pages on a phone. */
export function NavDrawer() {
  const t = useTranslations("shell");
  const path = usePathname();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when the page changes.
  useEffect(() => setOpen(false), [path]);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("menu")}
        className="lg:hidden"
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden="true" />
      </Button>
      {open && <NavSheet onClose={() => setOpen(false)} />}
    </>
  );
}
