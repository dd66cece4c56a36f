"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Sheet } from "@/components/ui/dialog";
import { type Facets, FilterPanel } from "./filter-panel";
import { clearedFilters, type useMarket } from "./use-market";

interface FilterSheetProps {
  market: ReturnType<typeof useMarket>;
  facets: Facets | undefined;
  total: number | undefined;
  onClose: () => void;
}

/** The filters on a phone. */
export function FilterSheet({ market, facets, total, onClose }: FilterSheetProps) {
  const t = useTranslations("market.filters");
  return (
    <Sheet
      open
      onOpenChange={(open) => open || onClose()}
      title={t("title")}
      footer={
        <>
          <Button onClick={() => market.change(clearedFilters(market.state))}>{t("clear")}</Button>
          <Button variant="primary" onClick={onClose}>
            {t("show", { count: total ?? 0 })}
          </Button>
        </>
      }
    >
      <div className="-mx-5">
        <FilterPanel market={market} facets={facets} />
      </div>
    </Sheet>
  );
}
