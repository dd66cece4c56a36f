"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { Sheet } from "@/components/ui/dialog";
import { operatorPlace, places } from "./places";
import { useVisitor } from "./visitor";

export function NavSheet({ onClose }: { onClose: () => void }) {
  const t = useTranslations("shell");
  const visitor = useVisitor();
  const path = usePathname();
  const shown = visitor?.roles.includes("operator") ? [...places, operatorPlace] : places;
  return (
    <Sheet open onOpenChange={(open) => open || onClose()} title={t("menu")}>
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
  );
}
