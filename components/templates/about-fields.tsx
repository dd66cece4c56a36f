"use client";

import { useTranslations } from "next-intl";
import type { UseFormReturn } from "react-hook-form";
import { Field, Input, Textarea } from "@/components/ui/field";
import type { EditorValues } from "./editor-values";
import { SwitchField } from "./switch-field";

/** What people read of a template, and who sees it. */
export function AboutFields({ form }: { form: UseFormReturn<EditorValues> }) {
  const t = useTranslations("templates.editor");
  const { errors } = form.formState;
  return (
    <div className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("diskSpace")} hint={t("diskHint")} error={errors.recommended_disk_space?.message}>
          <Input {...form.register("recommended_disk_space")} inputMode="decimal" autoComplete="off" />
        </Field>
        <Field label={t("href")} error={errors.href?.message}>
          <Input {...form.register("href")} inputMode="url" placeholder="https://" spellCheck={false} />
        </Field>
      </div>
      <Field label={t("descriptionField")} error={errors.description?.message}>
        <Textarea {...form.register("description")} rows={2} />
      </Field>
      <Field label={t("readme")} hint={t("readmeHint")} error={errors.readme?.message}>
        <Textarea {...form.register("readme")} rows={8} />
      </Field>
      <SwitchField
        control={form.control}
        name="is_private"
        label={t("isPrivate")}
        hint={t("isPrivateHint")}
      />
    </div>
  );
}
