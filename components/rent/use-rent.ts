import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, type Call, callOperation } from "@/lib/client/call-operation";
import { newIntent } from "@/lib/client/new-intent";

type Body = NonNullable<Call<"createInstance">["body"]>;

/** Whether the server may have done it nevertheless, or will: then a repeat has to be the same intent. */
function isOpen(error: Error): boolean {
  return (
    !(error instanceof ApiError) ||
    error.status === 0 ||
    error.status === 429 ||
    error.status >= 500 ||
    error.code === "action_in_progress"
  );
}

/** Rents. The same body that is sent again after an unclear failure rents once; after a refusal it is a new wish. */
export function useRent() {
  const queries = useQueryClient();
  const intent = useRef<{ wish: string; key: string } | null>(null);
  return useMutation({
    mutationFn: (body: Body) => {
      const wish = JSON.stringify(body);
      if (intent.current?.wish !== wish) intent.current = { wish, key: newIntent() };
      return callOperation("createInstance", { body, idempotencyKey: intent.current.key });
    },
    onError: (error) => {
      if (!isOpen(error)) intent.current = null;
      const stale = ["getOffer", "searchMarket", "getBilling"];
      return Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    },
    onSuccess: () => {
      const stale = ["listInstances", "getOffer", "searchMarket", "getBilling"];
      for (const name of stale) void queries.invalidateQueries({ queryKey: [name] });
    },
  });
}
