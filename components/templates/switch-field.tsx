"use client";

import { Field } from "@base-ui/react/field";
import { type Control, Controller, type FieldPathByValue } from "react-hook-form";
import { Switch } from "@/components/ui/switch";
import type { EditorValues } from "./editor-values";

interface SwitchFieldProps {
  control: Control<EditorValues>;
  name: FieldPathByValue<EditorValues, boolean>;
  label: string;
  hint: string;
  disabled?: boolean;
}

/** A yes or no of the template. */
export function SwitchField({ control, name, label, hint, disabled = false }: SwitchFieldProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Field.Root disabled={disabled} className="flex items-start justify-between gap-4 text-sm">
          <div>
            <Field.Label className="font-medium">{label}</Field.Label>
            <Field.Description className="text-xs text-subtle">{hint}</Field.Description>
          </div>
          <Switch checked={field.value} onCheckedChange={field.onChange} onBlur={field.onBlur} />
        </Field.Root>
      )}
    />
  );
}
