"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { AnswerOf } from "@/lib/client/call-operation";
import type { Instance } from "@/lib/client/own-instances";

type Answer = AnswerOf<"listInstances">;

/** Shows a change of one instance before the server has answered; what it returns takes that back. */
export function useChangeInstance() {
  const queries = useQueryClient();
  return useCallback(
    async (id: string, change: (instance: Instance) => Instance) => {
      await queries.cancelQueries({ queryKey: ["listInstances"] });
      const before = queries.getQueriesData<Answer>({ queryKey: ["listInstances"] });
      const write = (queryKey: (typeof before)[number][0], next: (now: Instance) => Instance) =>
        queries.setQueryData<Answer>(
          queryKey,
          (now) => now && { ...now, data: now.data.map((one) => (one.id === id ? next(one) : one)) },
        );
      for (const [queryKey] of before) write(queryKey, change);
      return () => {
        for (const [queryKey, answer] of before) {
          const was = answer?.data.find((one) => one.id === id);
          if (was) write(queryKey, () => was);
        }
      };
    },
    [queries],
  );
}
