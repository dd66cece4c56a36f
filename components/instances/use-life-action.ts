"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/call-operation";
import { act, foresee, type LifeAction } from "@/lib/client/instance-action";
import { type Instance, nameOf } from "@/lib/client/own-instances";
import { useChangeInstance } from "./use-change-instance";

/** Does one thing to an instance: it shows at once, and is taken back with the reason where the server refuses. */
export function useLifeAction() {
  const t = useTranslations("instances");
  const queries = useQueryClient();
  const change = useChangeInstance();
  const explain = useRefusalText();
  return useMutation({
    mutationKey: ["life"],
    mutationFn: ({ instance, action }: { instance: Instance; action: LifeAction }) =>
      act(action, instance.id),
    onMutate: ({ instance, action }) => change(instance.id, (now) => foresee(now, action)),
    onError: (error, { instance, action }, takeBack) => {
      takeBack?.();
      toast.error(t(`refused.${action}`, { name: nameOf(instance) }), { description: explain(error) });
    },
    onSuccess: (_, { instance, action }) => {
      toast.success(t(`done.${action}`, { name: nameOf(instance) }));
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["listEvents"] });
      // Earlier, the answer would show one that another click has just changed as it was.
      if (queries.isMutating({ mutationKey: ["life"] }) > 1) return;
      return queries.invalidateQueries({ queryKey: ["listInstances"] });
    },
  });
}

/** Why the server refused, in words. */
export function useRefusalText(): (error: unknown) => string {
  const t = useTranslations("instances");
  const explain = useProblemText();
  return (error) => (error instanceof ApiError && error.code === "not_found" ? t("gone") : explain(error));
}
