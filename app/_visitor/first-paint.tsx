import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Call } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";
import type { OperationName } from "@/lib/contract/operations";
import { callAsVisitor } from "./call-as-visitor";

/** One read that a page needs at its first paint; the client asks for it by the same name and input. */
export interface Read {
  load(queries: QueryClient): Promise<void>;
}

export function read<Name extends OperationName>(name: Name, call: Call<Name> = {}): Read {
  const { queryKey } = operationQuery(name, call);
  return {
    load: (queries) =>
      queries.prefetchQuery({ queryKey, queryFn: () => callAsVisitor(name, call), retry: false }),
  };
}

/** Renders `children` with the reads' answers in hand. A read that fails is left to the browser, which says so. */
export async function FirstPaint({ reads, children }: { reads: readonly Read[]; children: ReactNode }) {
  const queries = new QueryClient();
  await Promise.all(reads.map((each) => each.load(queries)));
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>;
}
