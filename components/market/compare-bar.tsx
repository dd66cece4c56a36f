"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

interface CompareBarProps {
  picked: readonly string[];
  onOpen: () => void;
  onClear: () => void;
}

/** Stays at the bottom while offers are chosen to be compared. */
export function CompareBar({ picked, onOpen, onClear }: CompareBarProps) {
  const t = useTranslations("market.compare");
  return (
    <section
      aria-label={t("bar")}
      className="sticky bottom-0 z-20 flex flex-wrap items-center gap-3 border-t bg-raised px-4 py-2.5 shadow-lg"
    >
      <p role="status" className="grow text-sm">
        {t("chosen", { count: picked.length })}{" "}
        <span className="text-subtle">
          {picked.length === 1 && t("more")}
          {picked.length === 4 && t("most")}
        </span>
      </p>
      <Button size="sm" variant="ghost" onClick={onClear}>
        {t("clear")}
      </Button>
      <Button size="sm" variant="primary" disabled={picked.length < 2} onClick={onOpen}>
        {t("open")}
      </Button>
    </section>
  );
}
