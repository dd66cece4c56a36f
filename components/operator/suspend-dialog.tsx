"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CurlButton } from "@/components/ui/curl-button";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import type { OperatorAccount } from "./accounts-page";

/** Suspends an account, or lifts that. */
export function SuspendDialog({ account, onClose }: { account: OperatorAccount; onClose: () => void }) {
  const lift = account.suspended_at !== null;
  const t = useTranslations(lift ? "operator.accounts.restore" : "operator.accounts.suspend");
  const explain = useProblemText();
  const queries = useQueryClient();
  const operation = lift ? "restoreAccount" : "suspendAccount";
  const call = { params: { account_id: account.id } };
  const change = useMutation({
    mutationFn: () => callOperation(operation, call),
    onSuccess: () => {
      toast.success(t("done", { email: account.email }));
      onClose();
      return queries.invalidateQueries({ queryKey: ["listOperatorAccounts"] });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("title", { email: account.email })}
      confirmLabel={t("button")}
      danger={!lift}
      busy={change.isPending}
      onConfirm={() => change.mutate()}
      problem={change.error && explain(change.error)}
    >
      <p>{t("text", { count: account.instances_count })}</p>
      <CurlButton name={operation} call={call} />
    </ConfirmDialog>
  );
}
