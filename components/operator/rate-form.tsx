"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { Controller, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { CurlButton } from "@/components/ui/curl-button";
import { Field, Input } from "@/components/ui/field";
import { useMoney } from "@/components/ui/money";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type AnswerOf, callOperation } from "@/lib/client/call-operation";
import { issueOf } from "./field-issues";
import { FormProblem } from "./form-problem";

interface Asked {
  currency: "RUB" | "QOIN";
  rate: string;
}

/** As the server takes it; a comma stands for a point. */
const RATE = /^\d{1,9}(\.\d{1,10})?$/;
const EXAMPLE_USD = 2.5;

export function RateForm({ rates }: { rates: AnswerOf<"listRates">["data"] }) {
  const t = useTranslations("operator.rates.set");
  const money = useMoney();
  const format = useFormatter();
  const queries = useQueryClient();
  const form = useForm<Asked>({ defaultValues: { currency: "RUB", rate: "" } });
  const asked = form.watch();
  const body = toBody(asked);
  const before = rates.find((rate) => rate.in_force && rate.currency === asked.currency);
  const set = useMutation({
    mutationFn: (given: Asked) => callOperation("setRate", { body: toBody(given) }),
    onSuccess: ({ data }) => {
      toast.success(t("done", { currency: data.currency, rate: data.units_per_usd }));
      form.reset({ currency: asked.currency, rate: "" });
      return queries.invalidateQueries({ queryKey: ["listRates"] });
    },
  });
  const value = RATE.test(body.units_per_usd) ? Number(body.units_per_usd) : 0;
  const change = before && value > 0 ? value / Number(before.units_per_usd) - 1 : null;
  return (
    <form className="space-y-4" onSubmit={form.handleSubmit((given) => set.mutate(given))}>
      <Controller
        control={form.control}
        name="currency"
        render={({ field }) => (
          <Field label={t("currency")} error={issueOf(set.error, "currency")}>
            <Select
              value={field.value}
              onChange={field.onChange}
              choices={[
                { value: "RUB", label: "RUB" },
                { value: "QOIN", label: "QOIN" },
              ]}
            />
          </Field>
        )}
      />
      <Field
        label={t("rate")}
        hint={before && t("before", { rate: before.units_per_usd, currency: before.currency })}
        error={form.formState.errors.rate ? t("notARate") : issueOf(set.error, "units_per_usd")}
      >
        <Input
          inputMode="decimal"
          autoComplete="off"
          required
          maxLength={20}
          {...form.register("rate", {
            validate: (rate) => RATE.test(toBody({ ...asked, rate }).units_per_usd),
          })}
        />
      </Field>
      <p className="min-h-10 text-sm text-subtle" aria-live="polite">
        {value > 0 &&
          t("preview", {
            usd: money(EXAMPLE_USD, "price", "USD"),
            other: money(EXAMPLE_USD * value, "price", asked.currency),
          })}{" "}
        {change !== null &&
          t("change", {
            percent: format.number(change, {
              style: "percent",
              maximumFractionDigits: 2,
              signDisplay: "exceptZero",
            }),
          })}
      </p>
      <FormProblem error={set.error} fields={["currency", "units_per_usd"]} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={set.isPending}>
          {t("button")}
        </Button>
        <CurlButton name="setRate" call={{ body }} />
      </div>
    </form>
  );
}

function toBody({ currency, rate }: Asked) {
  return { currency, units_per_usd: rate.trim().replace(",", ".") };
}
