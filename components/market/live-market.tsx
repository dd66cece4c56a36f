"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useStream } from "@/lib/client/use-stream";
import type { OperationName } from "@/lib/contract/operations";

const events = ["change"] as const;
const touched: readonly OperationName[] = ["searchMarket", "countMarketFacets", "suggestRelaxation"];

/** Asks anew for what is in sight when the market says that it changed, which it does once a second at most. */
export function LiveMarket() {
  const queries = useQueryClient();
  const renew = () => {
    for (const name of touched) void queries.invalidateQueries({ queryKey: [name] });
  };
  useStream({ url: "/v0/market/changes", events, onEvent: renew, onReturn: renew });
  return null;
}
