"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import { AttachedTo, type Instance, type Secret } from "./attached-to";

interface DeleteKeyDialogProps {
  secret: Secret;
  attachedTo: Instance[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Deletes a key, or says which instances still let it in. */
export function DeleteKeyDialog({ secret, attachedTo, onClose, onDeleted }: DeleteKeyDialogProps) {
  const t = useTranslations("keys.delete");
  const common = useTranslations("common.actions");
  const explain = useProblemText();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callOperation("deleteSecret", { params: { secret_id: secret.id } }),
    onSuccess: () => {
      onClose();
      onDeleted();
      toast.success(t("done", { name: secret.name }));
      return queries.invalidateQueries({ queryKey: ["listSecrets"] });
    },
    // It may have been attached meanwhile.
    onError: () => queries.invalidateQueries({ queryKey: ["listInstances"] }),
  });
  if (attachedTo.length > 0) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={t("inUse", { name: secret.name })}
        footer={<Button onClick={onClose}>{common("close")}</Button>}
      >
        <p className="text-sm">
          <AttachedTo instances={attachedTo} />. {t("detachFirst")}
        </p>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("title", { name: secret.name })}
      confirmLabel={common("delete")}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      problem={remove.error && explain(remove.error)}
    >
      <p>{t("text")}</p>
    </ConfirmDialog>
  );
}
