"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type Control, Controller, type UseFormRegister, useFieldArray } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { EditorValues } from "./editor-values";

const protocols = [
  { value: "tcp", label: "TCP" },
  { value: "udp", label: "UDP" },
] as const;

interface PortRowsProps {
  control: Control<EditorValues>;
  register: UseFormRegister<EditorValues>;
  error?: string | undefined;
}

/** A row a port inside the container; the market assigns the outer one. */
export function PortRows({ control, register, error }: PortRowsProps) {
  const t = useTranslations("templates.editor");
  const { fields, append, remove } = useFieldArray({ control, name: "ports" });
  return (
    <div className="space-y-2">
      {fields.length === 0 && <p className="text-sm text-subtle">{t("noPorts")}</p>}
      {fields.map((field, index) => (
        <div key={field.id} className="flex items-start gap-2">
          <Field className="w-28" label={t("port", { row: index + 1 })} hideLabel>
            <Input {...register(`ports.${index}.port`)} inputMode="numeric" placeholder="8080" />
          </Field>
          <Controller
            control={control}
            name={`ports.${index}.protocol`}
            render={({ field: { value, onChange } }) => (
              <Select
                className="w-28"
                choices={protocols}
                value={value}
                onChange={onChange}
                aria-label={t("protocol", { row: index + 1 })}
              />
            )}
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("removePort", { row: index + 1 })}
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
      <Button size="sm" onClick={() => append({ port: "", protocol: "tcp" })}>
        <Plus aria-hidden="true" />
        {t("addPort")}
      </Button>
    </div>
  );
}
