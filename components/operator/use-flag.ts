"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { toast } from "@/components/ui/toast";
import { type Call, callOperation } from "@/lib/client/call-operation";
import type { OperatorInstance } from "./instances-page";

/** Flags an instance or takes the flag off. */
export function useFlag(instance: OperatorInstance, onDone: () => void) {
  const t = useTranslations("operator.instances.flag");
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<Call<"flagInstance">["body"]>) =>
      callOperation("flagInstance", { params: { instance_id: instance.id }, body }),
    onSuccess: (_, { flagged }) => {
      toast.success(t(flagged ? "done" : "undone", { name: instance.name ?? instance.id }));
      onDone();
      return queries.invalidateQueries({ queryKey: ["listOperatorInstances"] });
    },
  });
}
