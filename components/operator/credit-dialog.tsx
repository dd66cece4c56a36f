"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { Controller, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useMoney } from "@/components/ui/money";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import type { OperatorAccount } from "./accounts-page";
import { issueOf } from "./field-issues";
import { FormProblem } from "./form-problem";

interface Asked {
  kind: "credit" | "debit";
  amount: string;
  reference: string;
}

/** Up to nine digits and six decimals, with a point or a comma. */
const AMOUNT = /^\s*\d{1,10}([.,]\d{1,6})?\s*$/;

/** Adds to an account's balance or takes back. The reference, not the click, makes it happen once. */
export function CreditDialog({ account, onClose }: { account: OperatorAccount; onClose: () => void }) {
  const t = useTranslations("operator.accounts.money");
  const common = useTranslations("common.actions");
  const money = useMoney();
  const queries = useQueryClient();
  const id = useId();
  const form = useForm<Asked>({ defaultValues: { kind: "credit", amount: "", reference: "" } });
  const asked = form.watch();
  const params = { account_id: account.id };
  const move = useMutation({
    mutationFn: (given: Asked) => callOperation("creditAccount", { params, body: toBody(given) }),
    onSuccess: ({ data }) => {
      toast.success(t("done", { email: account.email, balance: money(data.balance, "sum", "USD") }));
      onClose();
      return queries.invalidateQueries({ queryKey: ["listOperatorAccounts"] });
    },
  });
  const problem = form.formState.errors.amount ? t("notAnAmount") : issueOf(move.error, "amount");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("title", { email: account.email })}
      description={t("now", { balance: money(account.balance, "sum", "USD") })}
      footer={
        <>
          <CurlButton name="creditAccount" call={{ params, body: toBody(asked) }} />
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button type="submit" form={id} variant="primary" busy={move.isPending}>
            {t(asked.kind)}
          </Button>
        </>
      }
    >
      <form id={id} className="space-y-4" onSubmit={form.handleSubmit((given) => move.mutate(given))}>
        <Controller
          control={form.control}
          name="kind"
          render={({ field }) => (
            <Field label={t("kind")}>
              <Select
                value={field.value}
                onChange={field.onChange}
                choices={[
                  { value: "credit", label: t("credit") },
                  { value: "debit", label: t("debit") },
                ]}
              />
            </Field>
          )}
        />
        <Field label={t("amount")} error={problem}>
          <Input
            inputMode="decimal"
            autoComplete="off"
            required
            {...form.register("amount", { pattern: AMOUNT })}
          />
        </Field>
        <Field label={t("reference")} hint={t("referenceHint")} error={issueOf(move.error, "reference")}>
          <Input autoComplete="off" required maxLength={200} {...form.register("reference")} />
        </Field>
        <FormProblem error={move.error} fields={["amount", "reference"]} />
      </form>
    </Dialog>
  );
}

function toBody({ kind, amount, reference }: Asked) {
  return { kind, amount: Number(amount.trim().replace(",", ".")), reference: reference.trim() };
}
