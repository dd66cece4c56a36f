"use client";

import { useTranslations } from "next-intl";
import { Controller, type UseFormReturn } from "react-hook-form";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input } from "@/components/ui/field";
import { registryOf } from "@/lib/client/split-image";
import type { EditorValues } from "./editor-values";

/** The login of a private registry. The password is written and never read: the API does not even say that there is one. */
export function RegistryFields({ form, isNew }: { form: UseFormReturn<EditorValues>; isNew: boolean }) {
  const t = useTranslations("templates.editor");
  const { errors } = form.formState;
  const [image, password] = form.watch(["image", "docker_password"]);
  return (
    <div className="space-y-4">
      <p className="text-xs text-subtle">{t("registryHint", { host: registryOf(image.trim()) })}</p>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label={t("registry")} error={errors.docker_registry?.message}>
          <Input
            {...form.register("docker_registry")}
            placeholder={registryOf(image.trim())}
            spellCheck={false}
          />
        </Field>
        <Field label={t("registryUser")} error={errors.docker_username?.message}>
          <Input {...form.register("docker_username")} autoComplete="off" spellCheck={false} />
        </Field>
        <Field
          label={t("registryPassword")}
          hint={isNew ? t("passwordNew") : t("passwordKeep")}
          error={errors.docker_password?.message}
        >
          <Input {...form.register("docker_password")} type="password" autoComplete="new-password" />
        </Field>
      </div>
      {!isNew && (
        <>
          <Controller
            control={form.control}
            name="clearsPassword"
            render={({ field }) => (
              // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox in it is Base UI's.
              <label className="flex items-center gap-3 text-sm">
                <Checkbox
                  checked={field.value && password === ""}
                  disabled={password !== ""}
                  onCheckedChange={field.onChange}
                />
                {t("passwordClear")}
              </label>
            )}
          />
          <p className="text-xs text-subtle">{t("passwordMoves")}</p>
        </>
      )}
    </div>
  );
}
