"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { Controller, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { useProblemText } from "@/components/ui/states";
import { ApiError, callOperation } from "@/lib/client/call-operation";
import { newIntent } from "@/lib/client/new-intent";
import type { Scope } from "@/lib/contract/words";
import { ScopePicker } from "./scope-picker";
import { everyScope, readScopes } from "./scope-summary";
import { ShownOnce } from "./shown-once";

const presets = ["full", "readOnly", "custom"] as const;
const expiries = ["7", "30", "90", "365", "never"] as const;

interface NewKeyForm {
  name: string;
  preset: (typeof presets)[number];
  custom: Scope[];
  expiry: (typeof expiries)[number];
}

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("keys.apiKeys");
  const common = useTranslations("common.actions");
  const explain = useProblemText();
  const queries = useQueryClient();
  const form = useForm<NewKeyForm>({
    defaultValues: { name: "", preset: "full", custom: [...readScopes], expiry: "90" },
  });
  const intent = useRef(newIntent());
  const create = useMutation({
    mutationFn: ({ name, preset, custom, expiry }: NewKeyForm) =>
      callOperation("createApiKey", {
        idempotencyKey: intent.current,
        body: {
          name,
          scopes: preset === "custom" ? custom : [...(preset === "full" ? everyScope : readScopes)],
          ...(expiry === "never" ? {} : { expires_in_days: Number(expiry) }),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["listApiKeys"] }),
    onError: (error) => {
      // What the server refused was not this intent; what it may have done stays it.
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return;
      intent.current = newIntent();
      const named = error.issues.find(({ loc }) => loc.includes("name"));
      if (named) form.setError("name", { message: named.msg }, { shouldFocus: true });
    },
  });
  if (create.data) return <ShownOnce made={create.data.data} onClose={onClose} />;
  const { errors } = form.formState;
  const custom = form.watch("preset") === "custom";
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("new.title")}
      description={t("new.text")}
      footer={
        <>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button type="submit" form="new-api-key" variant="primary" busy={create.isPending}>
            {t("new.submit")}
          </Button>
        </>
      }
    >
      <form
        id="new-api-key"
        noValidate
        className="space-y-4"
        onSubmit={form.handleSubmit((given) => create.mutate(given))}
      >
        <Field label={t("new.name")} hint={t("new.nameHint")} error={errors.name?.message}>
          <Input
            {...form.register("name", { validate: (name) => name.trim() !== "" || t("new.nameNeeded") })}
            maxLength={100}
            autoComplete="off"
          />
        </Field>
        <Controller
          control={form.control}
          name="preset"
          render={({ field }) => (
            <Field label={t("scopes.label")}>
              <Select
                value={field.value}
                onChange={field.onChange}
                choices={presets.map((value) => ({ value, label: t(`presets.${value}`) }))}
              />
            </Field>
          )}
        />
        {custom && (
          <Controller
            control={form.control}
            name="custom"
            rules={{ validate: (scopes) => scopes.length > 0 || t("scopes.needed") }}
            render={({ field }) => <ScopePicker value={field.value} onChange={field.onChange} />}
          />
        )}
        {custom && errors.custom?.message && (
          <p role="alert" className="text-xs text-danger">
            {errors.custom.message}
          </p>
        )}
        <Controller
          control={form.control}
          name="expiry"
          render={({ field }) => (
            <Field label={t("expiry.label")}>
              <Select
                value={field.value}
                onChange={field.onChange}
                choices={expiries.map((value) => ({
                  value,
                  label: value === "never" ? t("expiry.never") : t("expiry.days", { days: Number(value) }),
                }))}
              />
            </Field>
          )}
        />
        {create.error && !errors.name && (
          <p role="alert" className="text-sm text-danger">
            {explain(create.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
