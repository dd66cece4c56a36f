"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CurlButton } from "@/components/ui/curl-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { ApiError, callOperation } from "@/lib/client/call-operation";
import { newIntent } from "@/lib/client/new-intent";
import type { Role } from "@/lib/contract/words";
import { issueOf } from "./field-issues";
import { FormProblem } from "./form-problem";
import { ShownOnce } from "./shown-once";

interface Asked {
  email: string;
  name: string;
  host: boolean;
  operator: boolean;
}

/** Makes an account for somebody, and shows the link by which that person signs in. */
export function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.accounts");
  const common = useTranslations("common.actions");
  const queries = useQueryClient();
  const id = useId();
  const [idempotencyKey, setKey] = useState(newIntent);
  const form = useForm<Asked>({ defaultValues: { email: "", name: "", host: false, operator: false } });
  const make = useMutation({
    mutationFn: (asked: Asked) =>
      callOperation("createOperatorAccount", { body: toBody(asked), idempotencyKey }),
    onSuccess: ({ data }) => {
      toast.success(t("new.done", { email: data.email }));
      return queries.invalidateQueries({ queryKey: ["listOperatorAccounts"] });
    },
    // A refused one is another intent once it is mended; one without an answer may have been done.
    onError: (error) => error instanceof ApiError && error.status !== 0 && setKey(newIntent()),
  });
  const made = make.data?.data;
  if (made) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={t("new.done", { email: made.email })}
        footer={<Button onClick={onClose}>{common("close")}</Button>}
      >
        <ShownOnce url={made.sign_in_link} label={t("signInLink")}>
          {t("new.link")}
        </ShownOnce>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("new.title")}
      description={t("new.text")}
      footer={
        <>
          <CurlButton name="createOperatorAccount" call={{ body: toBody(form.watch()) }} />
          <Button type="submit" form={id} variant="primary" busy={make.isPending}>
            {common("create")}
          </Button>
        </>
      }
    >
      <form id={id} className="space-y-4" onSubmit={form.handleSubmit((asked) => make.mutate(asked))}>
        <Field label={t("new.email")} error={issueOf(make.error, "email")}>
          <Input type="email" autoComplete="off" required maxLength={254} {...form.register("email")} />
        </Field>
        <Field label={t("new.name")} error={issueOf(make.error, "name")}>
          <Input autoComplete="off" required maxLength={100} {...form.register("name")} />
        </Field>
        <fieldset className="space-y-2">
          <legend className="mb-2 text-sm font-medium">{t("new.roles")}</legend>
          {(["host", "operator"] as const).map((role) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the control.
            <label key={role} className="flex items-center gap-2 text-sm">
              <Checkbox
                checked={form.watch(role)}
                onCheckedChange={(checked) => form.setValue(role, checked)}
              />
              {t(`new.${role}`)}
            </label>
          ))}
        </fieldset>
        <FormProblem error={make.error} fields={["email", "name"]} />
      </form>
    </Dialog>
  );
}

function toBody({ email, name, host, operator }: Asked) {
  const roles: Role[] = [...(host ? (["host"] as const) : []), ...(operator ? (["operator"] as const) : [])];
  return { email: email.trim(), name: name.trim(), roles };
}
