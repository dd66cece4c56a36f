"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsString, useQueryState } from "nuqs";
import { useCallback, useDeferredValue, useState } from "react";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { toFacetsBody } from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";
import { EmptyResult } from "./empty-result";
import { FilterChips } from "./filter-chips";
import { FilterPanel } from "./filter-panel";
import { LiveMarket } from "./live-market";
import { Offers } from "./offers";
import { Toolbar } from "./toolbar";
import { useMarket } from "./use-market";
import { useFirstOffers } from "./use-offer-pages";

const FilterSheet = dynamic(() => import("./filter-sheet").then((file) => file.FilterSheet), { ssr: false });

/** Offers by what one needs of them. The address is the view: it opens again as it was. */
export function Market() {
  const t = useTranslations("market.filters");
  const market = useMarket();
  const first = useFirstOffers(market.search);
  const counted = useQuery({
    ...operationQuery("countMarketFacets", { body: toFacetsBody(market.search) }),
    placeholderData: keepPreviousData,
  });
  // The offers are painted before the counts beside them.
  const facets = useDeferredValue(counted.data?.data);
  const [filtering, setFiltering] = useState(false);
  const [picked, setPicked] = useState<string[]>([]);
  const [, setRented] = useQueryState("rent", parseAsString.withOptions({ history: "push" }));
  const open = useCallback((offerId: string) => void setRented(offerId), [setRented]);
  const pick = useCallback(
    (offerId: string) =>
      setPicked((before) =>
        before.includes(offerId) ? before.filter((id) => id !== offerId) : [...before, offerId],
      ),
    [],
  );
  const total = first.data?.total_items;
  return (
    <main className="flex grow flex-col lg:h-[calc(100dvh-57px)] lg:flex-row">
      <LiveMarket />
      <aside
        aria-label={t("title")}
        className="hidden w-68 shrink-0 overflow-y-auto border-r bg-surface lg:block"
      >
        <FilterPanel market={market} facets={facets} />
      </aside>
      <div className="flex min-h-0 min-w-0 grow flex-col">
        <Toolbar market={market} total={total} onFilters={() => setFiltering(true)} />
        <FilterChips market={market} facets={facets} />
        {first.isPending && <SkeletonRows rows={14} className="mx-4 h-11" />}
        {first.error && !first.data && (
          <div className="p-4">
            <Problem error={first.error} retry={() => first.refetch()} />
          </div>
        )}
        {first.data && total === 0 && (
          <div className="p-4">
            <EmptyResult market={market} />
          </div>
        )}
        {first.data && total !== 0 && (
          <Offers
            market={market}
            first={first.data}
            isOld={first.isPlaceholderData}
            picked={picked}
            onPick={pick}
            onOpen={open}
          />
        )}
      </div>
      {filtering && (
        <FilterSheet market={market} facets={facets} total={total} onClose={() => setFiltering(false)} />
      )}
    </main>
  );
}
