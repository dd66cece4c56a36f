"use client";

import { useQuery } from "@tanstack/react-query";
import { useCurrency } from "@/components/shell/currency";
import { operationQuery } from "@/lib/client/operation-query";
import { isPassing, ownInstances } from "@/lib/client/own-instances";

/** Steps between two statuses make no event. */
const PASSING_MS = 1_500;
/** Cost and load go on without events. */
const STEADY_MS = 30_000;

/** One's own instances, the newest first; asked again often while one of them is on its way to something. */
export function useInstances() {
  return useQuery({
    ...operationQuery("listInstances", ownInstances(useCurrency())),
    refetchInterval: ({ state }) => (state.data?.data.some(isPassing) ? PASSING_MS : STEADY_MS),
  });
}
