"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useDeferredValue, useState } from "react";
import { CurlButton } from "@/components/ui/curl-button";
import { Problem, SkeletonRows } from "@/components/ui/states";
import { toFacetsBody, toSearchPage } from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";
import { EmptyResult } from "./empty-result";
import { FilterChips } from "./filter-chips";
import { FilterPanel } from "./filter-panel";
import { LiveMarket } from "./live-market";
import { MarketDialogs, useChosenOffers } from "./market-dialogs";
import { Offers } from "./offers";
import { SavedSearches } from "./saved-searches";
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
    enabled: !first.isPlaceholderData,
  });
  // The offers are asked for and painted before the counts beside them.
  const facets = useDeferredValue(counted.data?.data);
  const [filtering, setFiltering] = useState(false);
  const chosen = useChosenOffers();
  const { picked, setPicked, setRented } = chosen;
  const open = useCallback((offerId: string) => void setRented(offerId), [setRented]);
  const pick = useCallback(
    (offerId: string) =>
      setPicked((before) =>
        before.includes(offerId) ? before.filter((id) => id !== offerId) : [...before, offerId],
      ),
    [setPicked],
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
        <Toolbar market={market} total={total} onFilters={() => setFiltering(true)}>
          <SavedSearches market={market} />
          <CurlButton name="searchMarket" call={{ body: toSearchPage(market.search, 0) }} />
        </Toolbar>
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
        <MarketDialogs chosen={chosen} currency={market.search.currency} />
      </div>
      {filtering && (
        <FilterSheet market={market} facets={facets} total={total} onClose={() => setFiltering(false)} />
      )}
    </main>
  );
}
