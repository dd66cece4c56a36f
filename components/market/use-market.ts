"use client";

import { type Options, throttle, useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { useCurrency } from "@/components/shell/currency";
import {
  type MarketFilter,
  type MarketState,
  marketParsers,
  marketUrlKeys,
  toSearch,
} from "@/lib/client/market-search";

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
  const change = useCallback<ChangeMarket>(
    (next, options) => {
      // A price means nothing without its currency, so that a link keeps both.
      const priced = next.price ? { currency: search.currency } : {};
      void setState({ ...priced, ...next }, options);
    },
    [setState, search.currency],
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
