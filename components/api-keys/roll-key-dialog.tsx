"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { useProblemText } from "@/components/ui/states";
import { callOperation } from "@/lib/client/call-operation";
import { newIntent } from "@/lib/client/new-intent";
import type { ApiKey } from "./api-key-row";
import { ShownOnce } from "./shown-once";

const graces = ["0", "1", "24", "168"] as const;

/** Replaces a key; the old one can go on for a while, until programs have the new one. */
export function RollKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTranslations("keys.apiKeys.roll");
  const explain = useProblemText();
  const queries = useQueryClient();
  const [grace, setGrace] = useState<(typeof graces)[number]>("24");
  const intents = useRef(new Map<string, string>());
  const roll = useMutation({
    mutationFn: () => {
      const idempotencyKey = intents.current.get(grace) ?? newIntent();
      intents.current.set(grace, idempotencyKey);
      const body = { grace_hours: Number(grace) };
      return callOperation("rollApiKey", { params: { key_id: apiKey.id }, body, idempotencyKey });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["listApiKeys"] }),
  });
  if (roll.data) return <ShownOnce made={roll.data.data} onClose={onClose} />;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("title", { name: apiKey.name })}
      confirmLabel={t("short")}
      busy={roll.isPending}
      onConfirm={() => roll.mutate()}
      problem={roll.error && explain(roll.error)}
    >
      <p>{t("text")}</p>
      <Field label={t("grace")}>
        <Select
          value={grace}
          onChange={setGrace}
          choices={graces.map((value) => ({ value, label: t("hours", { hours: Number(value) }) }))}
        />
      </Field>
    </ConfirmDialog>
  );
}
