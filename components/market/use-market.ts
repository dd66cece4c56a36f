"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type Options, throttle, useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { useCurrency } from "@/components/shell/currency";
import {
  type MarketFilter,
  type MarketState,
  marketParsers,
  marketUrlKeys,
  toSearch,
  toSearchPage,
} from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";

export type ChangeMarket = (change: Partial<MarketState>, options?: Options) => void;

const ADDRESS_EVERY_MS = 300;

/** What the address asks of the market, and how to ask for something else; each change is a step of the browser's history. */
export function useMarket() {
  const chosen = useCurrency();
  const [state, setState] = useQueryStates(marketParsers, {
    urlKeys: marketUrlKeys,
    history: "push",
    limitUrlUpdates: throttle(ADDRESS_EVERY_MS),
  });
  const search = useMemo(() => toSearch(state, chosen), [state, chosen]);
  const queries = useQueryClient();
  const change = useCallback<ChangeMarket>(
    (next, options) => {
      // A price means nothing without its currency, so that a link keeps both.
      const changed = { ...(next.price ? { currency: search.currency } : {}), ...next };
      // Asked before anything is painted: the answer is on its way while the page shows what was chosen.
      const body = toSearchPage(toSearch({ ...state, ...changed }, chosen), 0);
      void queries.prefetchQuery(operationQuery("searchMarket", { body }));
      void setState(changed, options);
    },
    [setState, search.currency, queries, state, chosen],
  );
  return { state, search, change };
}

export function isSet(state: MarketState, filter: MarketFilter): boolean {
  const value = state[filter];
  return value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

export function setFilters(state: MarketState): MarketFilter[] {
  const { sort: _sort, currency: _currency, ...filters } = state;
  return (Object.keys(filters) as MarketFilter[]).filter((filter) => isSet(state, filter));
}

/** A change that takes every filter off. */
export function clearedFilters(state: MarketState): Partial<MarketState> {
  return Object.fromEntries(setFilters(state).map((filter) => [filter, null]));
}
