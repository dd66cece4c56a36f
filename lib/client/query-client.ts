import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./call-operation";

const FRESH_MS = 15_000;

/** What the server refused is not asked again; what it could not answer is, twice. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  });
}
