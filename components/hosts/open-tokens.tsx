"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";

/** Tokens by which a machine can still join, to be revoked. */
export function OpenTokens({ except }: { except: string | undefined }) {
  const t = useTranslations("hosts.tokens");
  const format = useFormatter();
  const explain = useProblemText();
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const tokens = useQuery(operationQuery("listHostTokens"));
  const revoke = useMutation({
    mutationFn: (id: string) => callOperation("revokeHostToken", { params: { token_id: id } }),
    onSuccess: () => {
      toast.success(t("revoked"));
      heading.current?.focus();
    },
    onError: (error) => toast.error(explain(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["listHostTokens"] }),
  });
  const open = tokens.data?.data.filter(({ id, status }) => status === "waiting" && id !== except) ?? [];
  if (open.length === 0) return null;
  return (
    <section className="space-y-1 border-t pt-4">
      <h3 ref={heading} tabIndex={-1} className="font-medium outline-none">
        {t("title")}
      </h3>
      <ul className="divide-y">
        {open.map(({ id, expires_at: until }) => (
          <li key={id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0">
              <span className="block truncate font-mono text-xs">{id}</span>
              <span className="text-xs text-subtle">
                {t("until", {
                  time: format.dateTime(new Date(until), { dateStyle: "medium", timeStyle: "short" }),
                })}
              </span>
            </span>
            <Button
              size="sm"
              variant="dangerOutline"
              busy={revoke.isPending && revoke.variables === id}
              aria-label={t("revokeLabel", { id })}
              onClick={() => revoke.mutate(id)}
            >
              {t("revoke")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
