import { queryOptions } from "@tanstack/react-query";
import { type BodyInput, operations } from "../contract/operations";
import { ApiError, callOperation } from "./call-operation";

type Search = BodyInput<(typeof operations)["searchMarket"]>;

/** The search of the market. Asking again does not help someone who is not signed in. */
export function searchMarketQuery(search: Search) {
  return queryOptions({
    queryKey: ["market", "search", search],
    queryFn: () => callOperation(operations.searchMarket, { body: search }),
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
  });
}
