"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field, Input } from "@/components/ui/field";
import { useProblemText } from "@/components/ui/states";
import { ApiError, callOperation } from "@/lib/client/call-operation";
import type { Account } from "./profile-card";

const erased = ["person", "access", "things"] as const;
const kept = ["ledger"] as const;

/** Leaves for good: says what is erased and what is kept, and where the server refuses, why. */
export function DeleteAccount({ account }: { account: Account }) {
  const t = useTranslations("account.delete");
  const [asking, setAsking] = useState(false);
  return (
    <Card title={t("title")}>
      <p className="text-sm">{t("text")}</p>
      <Button variant="dangerOutline" className="mt-3" onClick={() => setAsking(true)}>
        {t("button")}
      </Button>
      {asking && <Asking account={account} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function Asking({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useTranslations("account.delete");
  const explain = useProblemText();
  const [password, setPassword] = useState("");
  const remove = useMutation({
    mutationFn: () =>
      callOperation("deleteAccount", {
        body: { confirm: account.email, ...(account.has_password ? { password } : {}) },
      }),
    // A new page load, so that nothing of the account stays in memory.
    onSuccess: () => window.location.assign("/"),
  });
  const ofPassword =
    remove.error instanceof ApiError && remove.error.issues.some(({ loc }) => loc.includes("password"));
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("confirmTitle")}
      confirmLabel={t("button")}
      danger
      typed={account.email}
      busy={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate()}
      problem={remove.error && !ofPassword && explain(remove.error)}
    >
      <p>{t("erased")}</p>
      <ul className="list-disc space-y-1 pl-5">
        {erased.map((what) => (
          <li key={what}>{t(`erasedList.${what}`)}</li>
        ))}
      </ul>
      <p>{t("kept")}</p>
      <ul className="list-disc space-y-1 pl-5">
        {kept.map((what) => (
          <li key={what}>{t(`keptList.${what}`)}</li>
        ))}
      </ul>
      {account.has_password && (
        <Field label={t("password")} error={ofPassword ? t("wrongPassword") : undefined}>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onValueChange={setPassword}
            required
          />
        </Field>
      )}
    </ConfirmDialog>
  );
}
