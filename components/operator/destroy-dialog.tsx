"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CurlButton } from "@/components/ui/curl-button";
import { Field, Textarea } from "@/components/ui/field";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import { areAllOn, issueOf } from "./field-issues";
import type { OperatorInstance } from "./instances-page";

/** Destroys what somebody else rents: says whose it is, and asks for the words that its renter will read. */
export function DestroyDialog({ instance, onClose }: { instance: OperatorInstance; onClose: () => void }) {
  const t = useTranslations("operator.instances.destroy");
  const explain = useProblemText();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const name = instance.name ?? instance.id;
  const call = { params: { instance_id: instance.id }, body: { reason: reason.trim() } };
  const destroy = useMutation({
    mutationFn: () => callOperation("destroyOperatorInstance", call),
    onSuccess: () => {
      toast.success(t("done", { name }));
      onClose();
      return queries.invalidateQueries({ queryKey: ["listOperatorInstances"] });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("title", { name })}
      confirmLabel={t("button")}
      danger
      typed={name}
      busy={destroy.isPending}
      onConfirm={() => destroy.mutate()}
      problem={destroy.error && !areAllOn(destroy.error, ["reason"]) && explain(destroy.error)}
    >
      <p className="rounded-md bg-warning-soft px-3 py-2 text-on-warning-soft">
        {t("anothers", { email: instance.owner.email })}
      </p>
      <p>{t("text")}</p>
      <Field label={t("reason")} hint={t("reasonHint")} error={issueOf(destroy.error, "reason")}>
        <Textarea
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          required
          maxLength={200}
          rows={2}
        />
      </Field>
      <CurlButton name="destroyOperatorInstance" call={call} />
    </ConfirmDialog>
  );
}
