"use client";

import { useQuery } from "@tanstack/react-query";
import { useCurrency } from "@/components/shell/currency";
import { operationQuery } from "@/lib/client/operation-query";

/** The instances that money went to lately, by id; null where one has no name. */
export function useInstanceNames(): ReadonlyMap<string, string | null> {
  const usage = useQuery(operationQuery("listBillingUsage", { query: { currency: useCurrency() } }));
  return new Map(usage.data?.data.map(({ instance_id, name }) => [instance_id, name]));
}
