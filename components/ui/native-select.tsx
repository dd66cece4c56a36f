"use client";

import { ChevronDown } from "lucide-react";
import { cn } from "./cn";

interface NativeSelectProps<Value extends string> {
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  "aria-label": string;
  className?: string;
}

/** One of a few values, by the browser's own means: for pages whose first paint must not wait for `Select`. */
export function NativeSelect<Value extends string>({
  choices,
  value,
  onChange,
  className,
  ...rest
}: NativeSelectProps<Value>) {
  return (
    <span className={cn("relative inline-flex", className)}>
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = choices.find((choice) => choice.value === target.value);
          if (chosen) onChange(chosen.value);
        }}
        className="h-8 w-full appearance-none truncate rounded-md border border-input bg-surface pr-8 pl-3 text-sm"
        {...rest}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-2 right-2.5 size-4 text-subtle"
        aria-hidden="true"
      />
    </span>
  );
}
