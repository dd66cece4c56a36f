"use client";

import { useMutation } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { Dialog } from "@/components/ui/dialog";
import { callOperation } from "@/lib/client/call-operation";
import type { OperatorAccount } from "./accounts-page";
import { FormProblem } from "./form-problem";
import { ShownOnce } from "./shown-once";

interface AccountLinkDialogProps {
  account: OperatorAccount;
  operation: "createSignInLink" | "createResetLink";
  onClose: () => void;
}

/** Makes a link for a person and shows it, once. */
export function AccountLinkDialog({ account, operation, onClose }: AccountLinkDialogProps) {
  const t = useTranslations("operator.link");
  const common = useTranslations("common.actions");
  const format = useFormatter();
  const call = { params: { account_id: account.id } };
  const make = useMutation({ mutationFn: () => callOperation(operation, call) });
  const made = make.data?.data;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t(`${operation}.title`, { email: account.email })}
      footer={
        made ? (
          <Button onClick={onClose}>{common("close")}</Button>
        ) : (
          <>
            <CurlButton name={operation} call={call} />
            <Button onClick={onClose}>{common("cancel")}</Button>
            <Button variant="primary" busy={make.isPending} onClick={() => make.mutate()}>
              {t("make")}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <ShownOnce url={made.url} label={t(`${operation}.label`)}>
          {t("until", {
            time: format.dateTime(new Date(made.expires_at), { dateStyle: "medium", timeStyle: "short" }),
          })}
        </ShownOnce>
      ) : (
        <div className="space-y-3 text-sm">
          <p>{t(`${operation}.text`)}</p>
          <FormProblem error={make.error} fields={[]} />
        </div>
      )}
    </Dialog>
  );
}
