"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useCurrency } from "@/components/shell/currency";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { useProblemText } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { callOperation } from "@/lib/client/call-operation";
import { BulkRow, type Outcome } from "./bulk-row";
import type { Host } from "./host-queries";
import { isReadable, type Plan, planPrice, type Wish } from "./price-plan";

const modes = ["change", "set"] as const;
/** In millionths of the currency. */
const steps = ["1", "1000", "10000", "100000", "1000000"] as const;

/** New prices for many hosts: what each would be and where it would stand, then one after the other. */
export function BulkReprice({ hosts, onClose }: { hosts: readonly Host[]; onClose: () => void }) {
  const t = useTranslations("hosts.bulk");
  const currency = useCurrency();
  const explain = useProblemText();
  const queries = useQueryClient();
  const form = useId();
  // As they were when it opened: a price that is saved meanwhile must not be changed by as many per cent again.
  const [before] = useState(hosts);
  const [mode, setMode] = useState<Wish["mode"]>("change");
  const [text, setText] = useState("");
  const [step, setStep] = useState<(typeof steps)[number]>("1000");
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const wish: Wish = { mode, text, step: BigInt(step) };
  const plans = before.map((host) => planPrice(host, wish));
  const open = plans.filter(
    (plan): plan is Plan & { next: number } =>
      plan.next !== null && outcomes.get(plan.host.id)?.state !== "saved",
  );
  const saved = [...outcomes.values()].filter(({ state }) => state === "saved").length;
  const failed = [...outcomes.values()].filter(({ state }) => state === "failed").length;
  const note = (id: string, outcome: Outcome) => setOutcomes((known) => new Map(known).set(id, outcome));
  const apply = useMutation({
    mutationFn: async () => {
      let failures = 0;
      for (const { host, next } of open) {
        note(host.id, { state: "saving" });
        try {
          await callOperation("updateHost", {
            params: { host_id: host.id },
            query: { currency },
            body: { price: next },
          });
          note(host.id, { state: "saved" });
        } catch (error) {
          failures += 1;
          note(host.id, { state: "failed", reason: explain(error) });
        }
      }
      return { failures, tried: open.length };
    },
    onSuccess: ({ failures, tried }) => {
      if (failures > 0) return;
      toast.success(t("result", { saved: saved + tried, total: saved + tried }));
      onClose();
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["listHosts"] });
      void queries.invalidateQueries({ queryKey: ["getHostOverview"] });
    },
  });
  const wrong = text !== "" && !isReadable(wish);
  return (
    <Dialog
      open
      onOpenChange={(stays) => stays || apply.isPending || onClose()}
      title={t("title", { count: before.length })}
      className="max-w-2xl"
      footer={
        <>
          <span role="status" className="mr-auto self-center text-sm text-subtle">
            {apply.isPending
              ? t("running", { done: saved + failed, total: before.length })
              : outcomes.size > 0 && t("result", { saved, total: outcomes.size })}
          </span>
          <Button onClick={onClose} disabled={apply.isPending}>
            {t("close")}
          </Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            busy={apply.isPending}
            disabled={open.length === 0}
          >
            {failed > 0 ? t("retry", { count: open.length }) : t("apply", { count: open.length })}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (open.length > 0 && !apply.isPending) apply.mutate();
        }}
      >
        <fieldset disabled={apply.isPending} className="grid gap-3 sm:grid-cols-3">
          <Field label={t("mode")}>
            <Select
              value={mode}
              onChange={(next) => {
                setMode(next);
                setText("");
              }}
              choices={modes.map((value) => ({ value, label: t(value) }))}
            />
          </Field>
          <Field
            label={mode === "set" ? t("amount", { currency }) : t("percent")}
            {...(mode === "change" ? { hint: t("percentHint") } : {})}
            error={wrong ? t(mode === "set" ? "invalidPrice" : "invalidPercent") : undefined}
          >
            <Input
              value={text}
              onValueChange={setText}
              inputMode={mode === "set" ? "decimal" : "text"}
              autoComplete="off"
              className="tabular-nums"
            />
          </Field>
          <Field label={t("rounding")}>
            <Select
              value={step}
              onChange={setStep}
              choices={steps.map((value) => ({
                value,
                label: value === "1" ? t("exact") : String(Number(value) / 1_000_000),
              }))}
            />
          </Field>
        </fieldset>
      </form>
      <ul className="mt-4 divide-y rounded-lg border">
        {plans.map((plan) => (
          <BulkRow key={plan.host.id} plan={plan} outcome={outcomes.get(plan.host.id)} />
        ))}
      </ul>
    </Dialog>
  );
}
