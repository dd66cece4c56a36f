"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";

const parts = ["accounts", "hosts", "instances", "templates", "rates", "ledger", "imports"] as const;

/** On a phone the tabs are wider than the page. */
function bringIntoSight(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Between the operator's pages. */
export function OperatorNav() {
  const t = useTranslations("operator");
  const path = usePathname();
  return (
    <nav aria-label={t("title")} className="-mx-4 mb-6 overflow-x-auto border-b px-4 sm:mx-0 sm:px-0">
      <ul className="flex gap-1">
        {parts.map((part) => {
          const here = path === `/operator/${part}`;
          return (
            <li key={part}>
              <Link
                ref={here ? bringIntoSight : undefined}
                href={`/operator/${part}`}
                aria-current={here ? "page" : undefined}
                className={cn(
                  "-mb-px block whitespace-nowrap border-b-2 px-3 py-2 text-sm font-medium -outline-offset-2",
                  here ? "border-primary" : "border-transparent text-subtle hover:text-foreground",
                )}
              >
                {t(`nav.${part}`)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
