"use client";

import { useTranslations } from "next-intl";
import type { UseFormReturn } from "react-hook-form";
import { Field, Input } from "@/components/ui/field";
import { splitImage } from "@/lib/client/split-image";
import type { EditorValues } from "./editor-values";

/** Image and tag; what is pasted as one is split. */
export function ImageFields({ form }: { form: UseFormReturn<EditorValues> }) {
  const t = useTranslations("templates.editor");
  const { errors } = form.formState;
  const set = (name: "image" | "image_tag", value: string) =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
      <Field label={t("image")} hint={t("imageHint")} error={errors.image?.message}>
        <Input
          {...form.register("image", { validate: (value) => value.trim() !== "" || t("required") })}
          className="font-mono text-xs"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder="ghcr.io/owner/name"
          onPaste={(event) => {
            const input = event.currentTarget;
            const replacesAll = input.value === "" || input.selectionEnd === input.value.length;
            const { image, tag } = splitImage(event.clipboardData.getData("text"));
            if (!replacesAll || input.selectionStart !== 0 || image === "") return;
            event.preventDefault();
            set("image", image);
            if (tag || image.includes("@")) set("image_tag", tag);
          }}
        />
      </Field>
      <Field label={t("tag")} hint={t("tagHint")} error={errors.image_tag?.message}>
        <Input
          {...form.register("image_tag")}
          className="font-mono text-xs"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder="latest"
        />
      </Field>
    </div>
  );
}
