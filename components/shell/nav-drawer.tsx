"use client";

import { Menu as MenuIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Sheet } from "@/components/ui/dialog";
import { operatorPlace, places } from "./places";
import { useVisitor } from "./visitor";

/** The pages on a phone. */
export function NavDrawer() {
  const t = useTranslations("shell");
  const visitor = useVisitor();
  const path = usePathname();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when the page changes.
  useEffect(() => setOpen(false), [path]);
  const shown = visitor?.roles.includes("operator") ? [...places, operatorPlace] : places;
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
      <Sheet open={open} onOpenChange={setOpen} title={t("menu")}>
        <nav aria-label={t("nav.main")} className="flex flex-col">
          {shown.map(({ key, href }) => (
            <Link
              key={key}
              href={href}
              aria-current={path.startsWith(href) ? "page" : undefined}
              className="border-b py-3 last:border-0 aria-[current]:font-semibold"
            >
              {t(`nav.${key}`)}
            </Link>
          ))}
        </nav>
      </Sheet>
    </>
  );
}
