"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/states";
import { toFacetsBody } from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";
import { clearedFilters, setFilters, type useMarket } from "./use-market";

const SUGGESTED = 3;

/** Nothing was found: which one filter is to blame, and what there would be without it. */
export function EmptyResult({ market: { state, search, change } }: { market: ReturnType<typeof useMarket> }) {
  const t = useTranslations("market");
  const filtered = setFilters(state).length > 0;
  const relaxations = useQuery({
    ...operationQuery("suggestRelaxation", { body: toFacetsBody(search) }),
    enabled: filtered,
  });
  if (!filtered) {
    return (
      <EmptyState
        icon={<SearchX aria-hidden="true" />}
        title={t("empty.bare")}
        action={<ButtonLink href="/hosts">{t("empty.join")}</ButtonLink>}
      >
        {t("empty.bareText")}
      </EmptyState>
    );
  }
  const helpful = (relaxations.data?.data ?? []).filter(({ total_items }) => total_items > 0);
  return (
    <EmptyState icon={<SearchX aria-hidden="true" />} title={t("empty.title")}>
      {helpful.length > 0 && <p className="mb-3">{t("empty.why")}</p>}
      {relaxations.data && helpful.length === 0 && <p className="mb-3">{t("empty.none")}</p>}
      <div className="flex min-h-30 flex-col items-center gap-2">
        {helpful.slice(0, SUGGESTED).map(({ filter, total_items }, i) => (
          <Button
            key={filter}
            variant={i === 0 ? "primary" : "outline"}
            onClick={() => change({ [filter]: null })}
          >
            {t("empty.relax", { filter: t(`filters.names.${filter}`), count: total_items })}
          </Button>
        ))}
        <Button variant="ghost" onClick={() => change(clearedFilters(state))}>
          {t("filters.clear")}
        </Button>
      </div>
    </EmptyState>
  );
}
