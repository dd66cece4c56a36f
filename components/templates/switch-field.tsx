"use client";

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
        // biome-ignore lint/a11y/noLabelWithoutControl: the switch in it is Base UI's.
        <label className="flex items-start justify-between gap-4 text-sm">
          <span>
            <span className="font-medium">{label}</span>
            <span className="block text-xs text-subtle">{hint}</span>
          </span>
          <Switch
            checked={field.value}
            onCheckedChange={field.onChange}
            onBlur={field.onBlur}
            disabled={disabled}
          />
        </label>
      )}
    />
  );
}
