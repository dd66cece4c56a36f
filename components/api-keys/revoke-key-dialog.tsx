"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import type { ApiKey } from "./api-key-row";

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTranslations("keys.apiKeys.revoke");
  const explain = useProblemText();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => callOperation("revokeApiKey", { params: { key_id: apiKey.id } }),
    onSuccess: () => {
      onClose();
      toast.success(t("done", { name: apiKey.name }));
      return queries.invalidateQueries({ queryKey: ["listApiKeys"] });
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("title", { name: apiKey.name })}
      confirmLabel={t("short")}
      danger
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      problem={revoke.error && explain(revoke.error)}
    >
      <p>{t("text")}</p>
    </ConfirmDialog>
  );
}
