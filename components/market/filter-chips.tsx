"use client";

import { X } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import type { MarketFilter, MarketState, Range } from "@/lib/client/market-search";
import type { Facets } from "./filter-panel";
import { shortName } from "./offer-words";
import { clearedFilters, setFilters, type useMarket } from "./use-market";

interface FilterChipsProps {
  market: ReturnType<typeof useMarket>;
  facets: Facets | undefined;
}

/** What is set, each with a button that takes it off. */
export function FilterChips({ market: { state, change }, facets }: FilterChipsProps) {
  const t = useTranslations("market.filters");
  const say = useFilterValue(facets);
  const set = setFilters(state);
  if (set.length === 0) return null;
  return (
    <ul className="flex flex-wrap items-center gap-1.5 px-4 pb-2">
      {set.map((filter) => (
        <li key={filter}>
          <button
            type="button"
            aria-label={`${t("clearOne", { name: t(`names.${filter}`) })} (${say(filter, state)})`}
            onClick={() => change({ [filter]: null })}
            className="inline-flex min-h-7 max-w-80 items-center gap-1.5 rounded-full border bg-surface py-0.5 pr-2 pl-3 text-xs hover:bg-muted"
          >
            <span className="truncate">
              {t(`names.${filter}`)}
              {state[filter] !== true && (
                <strong className="ml-1.5 font-semibold">{say(filter, state)}</strong>
              )}
            </span>
            <X className="size-3.5 shrink-0 text-subtle" aria-hidden="true" />
          </button>
        </li>
      ))}
      <li>
        <Button
          variant="ghost"
          size="sm"
          className="h-7 text-xs"
          onClick={() => change(clearedFilters(state))}
        >
          {t("clear")}
        </Button>
      </li>
    </ul>
  );
}

/** Writes what a filter is set to. */
function useFilterValue(facets: Facets | undefined) {
  const t = useTranslations("market.filters");
  const common = useTranslations("common");
  const format = useFormatter();
  const number = (value: number) => format.number(value, { maximumFractionDigits: 6 });
  const sayRange = ({ from, to }: Range) => {
    if (from !== null && to !== null) return t("between", { from: number(from), to: number(to) });
    if (from !== null) return t("atLeast", { value: number(from) });
    return to === null ? "" : t("atMost", { value: number(to) });
  };
  return (filter: MarketFilter, state: MarketState): string => {
    const value = state[filter];
    if (filter === "gpu_translit_name")
      return (state[filter] ?? [])
        .map((name) =>
          shortName(facets?.gpus.find((gpu) => gpu.gpu_translit_name === name)?.gpu_name ?? name),
        )
        .join(", ");
    if (filter === "provider")
      return facets?.providers.find(({ translit_name }) => translit_name === value)?.name ?? String(value);
    if (typeof value === "boolean") return common(value ? "yes" : "no");
    if (Array.isArray(value)) return value.join(", ");
    return typeof value === "object" && value !== null ? sayRange(value) : String(value ?? "");
  };
}
