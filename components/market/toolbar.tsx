"use client";

import { SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/native-select";
import { currencies, offerSorts } from "@/lib/contract/words";
import { setFilters, type useMarket } from "./use-market";

interface ToolbarProps {
  market: ReturnType<typeof useMarket>;
  total: number | undefined;
  onFilters: () => void;
  children?: ReactNode;
}

/** How much was found, in which order and currency. */
export function Toolbar({ market: { state, search, change }, total, onFilters, children }: ToolbarProps) {
  const t = useTranslations("market");
  const set = setFilters(state).length;
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2.5">
      <h1 className="text-lg font-semibold tracking-tight">{t("title")}</h1>
      <p role="status" className="min-w-24 grow text-sm text-subtle tabular-nums">
        {total === undefined ? t("loading") : t("found", { count: total })}
      </p>
      <Button size="sm" className="lg:hidden" onClick={onFilters}>
        <SlidersHorizontal aria-hidden="true" />
        {t("filters.open")}
        {set > 0 && <span className="tabular-nums">({set})</span>}
      </Button>
      <NativeSelect
        className="w-64"
        aria-label={t("sort.label")}
        value={search.sort_by}
        onChange={(sort) => change({ sort: sort === "price_asc" ? null : sort })}
        choices={offerSorts.map((sort) => ({ value: sort, label: sortLabel(t, sort) }))}
      />
      <NativeSelect
        className="w-24"
        aria-label={t("currency")}
        value={search.currency}
        // A price in the one currency says nothing in another.
        onChange={(currency) => change({ currency, price: null })}
        choices={currencies.map((currency) => ({ value: currency, label: currency }))}
      />
      {children}
    </div>
  );
}

function sortLabel(
  t: ReturnType<typeof useTranslations<"market">>,
  sort: (typeof offerSorts)[number],
): string {
  const descending = sort.endsWith("_desc");
  // The names of the fields are the sorts without their direction.
  const field = t(`sort.fields.${sort.replace(/_(asc|desc)$/, "") as "price"}`);
  return t(descending ? "sort.desc" : "sort.asc", { field });
}
