"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ClipboardEvent } from "react";
import { type Control, type UseFormRegister, useFieldArray } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { readPastedVariables } from "@/lib/client/environment";
import type { EditorValues } from "./editor-values";

interface EnvironmentRowsProps {
  control: Control<EditorValues>;
  register: UseFormRegister<EditorValues>;
  /** The row's name and value as they stand. */
  rows: EditorValues["variables"];
  error?: string | undefined;
}

/** A row a variable. A .env file that is pasted into a name becomes rows; a name that is there already gets its value. */
export function EnvironmentRows({ control, register, rows, error }: EnvironmentRowsProps) {
  const t = useTranslations("templates.editor");
  const { fields, append, remove, replace } = useFieldArray({ control, name: "variables" });

  function paste(event: ClipboardEvent, index: number) {
    const text = event.clipboardData.getData("text");
    const isFile = /[\r\n]/.test(text.trim()) || /^\s*(?:export\s+)?[\w.-]+=|^\s*-/.test(text);
    const pasted = isFile ? readPastedVariables(text) : [];
    if (pasted.length === 0) return;
    event.preventDefault();
    const kept = rows.filter(
      (row, i) => (i !== index || row.name || row.value) && !pasted.some(({ name }) => name === row.name),
    );
    replace([...kept, ...pasted]);
    toast(t("pasted", { count: pasted.length }));
  }

  return (
    <div className="space-y-2">
      {fields.length === 0 && <p className="text-sm text-subtle">{t("noVariables")}</p>}
      {fields.map((field, index) => (
        <div key={field.id} className="flex items-start gap-2">
          <Field className="w-2/5" label={t("variableNameOf", { row: index + 1 })} hideLabel>
            <Input
              {...register(`variables.${index}.name`)}
              placeholder={t("variableName")}
              className="font-mono text-xs"
              spellCheck={false}
              autoComplete="off"
              onPaste={(event) => paste(event, index)}
            />
          </Field>
          <Field className="grow" label={t("variableValueOf", { row: index + 1 })} hideLabel>
            {/* An input of one line would lose the line ends of a value. */}
            <Textarea
              {...register(`variables.${index}.value`)}
              rows={1}
              placeholder={t("variableValue")}
              className="h-9 min-h-9 font-mono text-xs"
              spellCheck={false}
            />
          </Field>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("removeVariable", { row: index + 1 })}
            onClick={() => remove(index)}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      {error && (
        <p role="alert" className="text-danger text-xs">
          {error}
        </p>
      )}
      <Button size="sm" onClick={() => append({ name: "", value: "" })}>
        <Plus aria-hidden="true" />
        {t("addVariable")}
      </Button>
      <p className="text-xs text-subtle">{t("pasteHint")}</p>
    </div>
  );
}
