"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { useProblemText } from "@/components/ui/states";
import { callOperation } from "@/lib/client/call-operation";

/** Takes a public key without leaving the sheet. */
export function NewKey({ onAdded, onCancel }: { onAdded: (id: string) => void; onCancel: () => void }) {
  const t = useTranslations("rent.keys");
  const common = useTranslations("common.actions");
  const explain = useProblemText();
  const queries = useQueryClient();
  const [value, setValue] = useState("");
  const [name, setName] = useState("");
  // A private key never leaves the browser, whatever the API would answer.
  const isPrivate = /PRIVATE KEY|PuTTY-User-Key-File/i.test(value);
  const create = useMutation({
    mutationFn: () =>
      callOperation("createSecret", {
        body: { value: value.trim(), name: name.trim() || value.trim().split(/\s+/)[2] || t("defaultName") },
      }),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: ["listSecrets"] });
      onAdded(data.id);
    },
  });
  const problem = isPrivate ? t("private") : create.error ? explain(create.error) : undefined;
  return (
    <div className="space-y-3 rounded-md border p-3">
      <Field label={t("publicKey")} hint={t("publicKeyHint")} error={problem}>
        <Textarea
          autoFocus
          rows={3}
          value={value}
          onChange={(event) => {
            setValue(event.target.value);
            create.reset();
          }}
          className="font-mono text-xs"
          placeholder="ssh-ed25519 AAAA… name"
          spellCheck={false}
        />
      </Field>
      <Field label={t("name")}>
        <Input value={name} onValueChange={setName} autoComplete="off" maxLength={120} />
      </Field>
      <div className="flex gap-2">
        <Button
          variant="primary"
          size="sm"
          busy={create.isPending}
          disabled={isPrivate || value.trim() === ""}
          onClick={() => create.mutate()}
        >
          {t("save")}
        </Button>
        <Button size="sm" onClick={onCancel}>
          {common("cancel")}
        </Button>
      </div>
    </div>
  );
}
