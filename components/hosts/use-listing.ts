"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import type { Host } from "./host-queries";
import { useHostName } from "./use-host-name";

interface Listing {
  hosts: readonly Host[];
  to: "withdraw" | "relist";
}

/** Takes hosts off the market or puts them back, one by one, and says which could not be. */
export function useListing() {
  const t = useTranslations("hosts.done");
  const queries = useQueryClient();
  const nameOf = useHostName();
  const explain = useProblemText();
  return useMutation({
    mutationFn: async ({ hosts, to }: Listing) => {
      const failed: string[] = [];
      for (const host of hosts) {
        await callOperation(to === "withdraw" ? "withdrawHost" : "relistHost", {
          params: { host_id: host.id },
        }).catch((error: unknown) => {
          failed.push(t("because", { host: nameOf(host), reason: explain(error) }));
        });
      }
      return failed;
    },
    onSuccess: (failed, { hosts, to }) => {
      const changed = hosts.length - failed.length;
      if (changed > 0) toast.success(t(to, { count: changed }));
      if (failed.length > 0)
        toast.error(t("failed", { count: failed.length }), { description: failed.join(" ") });
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["listHosts"] });
      void queries.invalidateQueries({ queryKey: ["getHostOverview"] });
    },
  });
}
