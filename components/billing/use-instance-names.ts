"use client";

import { useQuery } from "@tanstack/react-query";
import { useCurrency } from "@/components/shell/currency";
import { operationQuery } from "@/lib/client/operation-query";
import { ownInstances } from "@/lib/client/own-instances";

/** One's instances and those that money went to lately, by id; null where one has no name. */
export function useInstanceNames(): ReadonlyMap<string, string | null> {
  const currency = useCurrency();
  const usage = useQuery(operationQuery("listBillingUsage", { query: { currency } }));
  const own = useQuery(operationQuery("listInstances", ownInstances(currency)));
  return new Map([
    ...(usage.data?.data ?? []).map(({ instance_id, name }) => [instance_id, name] as const),
    ...(own.data?.data ?? []).map(({ id, name }) => [id, name] as const),
  ]);
}
