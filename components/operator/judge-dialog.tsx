"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CurlButton } from "@/components/ui/curl-button";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import type { OperatorHost } from "./hosts-page";

export type Verdict = "verify" | "unverify" | "ban" | "unban";

interface JudgeDialogProps {
  host: OperatorHost;
  name: string;
  verdict: Verdict;
  onClose: () => void;
}

/** Says what a verdict does to the host and to what runs on it, and gives it. */
export function JudgeDialog({ host, name, verdict, onClose }: JudgeDialogProps) {
  const t = useTranslations("operator.hosts");
  const explain = useProblemText();
  const queries = useQueryClient();
  const call = { params: { host_id: host.id }, body: { verdict } };
  const judge = useMutation({
    mutationFn: () => callOperation("judgeHost", call),
    onSuccess: () => {
      toast.success(t(`${verdict}.done`, { name }));
      onClose();
      return queries.invalidateQueries({ queryKey: ["listOperatorHosts"] });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t(`${verdict}.title`, { name, email: host.owner.email })}
      confirmLabel={t(`${verdict}.button`)}
      danger={verdict === "ban"}
      busy={judge.isPending}
      onConfirm={() => judge.mutate()}
      problem={judge.error && explain(judge.error)}
    >
      <p>{t(`${verdict}.text`)}</p>
      {verdict === "ban" && host.rented && <p>{t("ban.rented")}</p>}
      <CurlButton name="judgeHost" call={call} />
    </ConfirmDialog>
  );
}
