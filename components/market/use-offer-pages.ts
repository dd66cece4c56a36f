"use client";

import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AnswerOf } from "@/lib/client/call-operation";
import { type MarketSearch, OFFERS_A_PAGE, toSearchPage } from "@/lib/client/market-search";
import { operationQuery } from "@/lib/client/operation-query";

type Answer = AnswerOf<"searchMarket">;
export type Offer = Answer["data"][number];

/** The first page of a search; what was found before stays in sight until it is there. */
export function useFirstOffers(search: MarketSearch) {
  return useQuery({
    ...operationQuery("searchMarket", { body: toSearchPage(search, 0) }),
    placeholderData: keepPreviousData,
  });
}

function dataOf(results: UseQueryResult<Answer>[]): (Offer[] | undefined)[] {
  return results.map(({ data }) => data?.data);
}

/**
 * The offers that are in sight: only their pages are asked for, so that one can jump to the end, and a change of the market
 * asks for these alone.
 */
export function useOffersInSight(
  search: MarketSearch,
  first: Answer,
  isOld: boolean,
  rows: readonly number[],
) {
  const pages = [...new Set(rows.map((row) => Math.floor(row / OFFERS_A_PAGE)))].filter(
    (page) => page > 0 && !isOld,
  );
  const rest = useQueries({
    queries: pages.map((page) => operationQuery("searchMarket", { body: toSearchPage(search, page) })),
    combine: dataOf,
  });
  const wanted = pages.join();
  return useMemo(() => {
    const offers = [...first.data];
    const begins = new Map([[0, 0]]);
    for (const [i, page] of wanted === "" ? [] : wanted.split(",").entries()) {
      const loaded = rest[i];
      if (!loaded) continue;
      begins.set(Number(page), offers.length);
      offers.push(...loaded);
    }
    /** Where in `offers` a row of the whole result stands; -1 while it is not loaded. */
    const placeOf = (row: number) => {
      const begin = begins.get(Math.floor(row / OFFERS_A_PAGE));
      return begin === undefined ? -1 : begin + (row % OFFERS_A_PAGE);
    };
    return { offers, placeOf };
  }, [first.data, rest, wanted]);
}
