"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useStream } from "@/lib/client/use-stream";
import type { OperationName } from "@/lib/contract/operations";
import { eventTypes } from "@/lib/contract/words";

/** What an event of one's own may have changed. */
const touched: readonly OperationName[] = [
  "listInstances",
  "listEvents",
  "getBilling",
  "listBillingEntries",
  "listBillingUsage",
  "listHosts",
];

/** Keeps every page true: what happens to one's own things is asked for anew as it happens. */
export function LiveUpdates() {
  const queries = useQueryClient();
  const renew = () => {
    for (const name of touched) void queries.invalidateQueries({ queryKey: [name] });
  };
  useStream({ url: "/v0/events", events: eventTypes, onEvent: renew, onReturn: renew });
  return null;
}
