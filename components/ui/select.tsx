"use client";

import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

export interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
}

interface SelectProps<Value extends string> {
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** Needed where no `Field` around it has a label. */
  "aria-label"?: string;
  size?: "md" | "sm";
  className?: string;
  disabled?: boolean;
}

/** One of a few values. */
export function Select<Value extends string>({
  choices,
  value,
  onChange,
  size = "md",
  className,
  disabled,
  ...rest
}: SelectProps<Value>) {
  return (
    <Base.Root
      items={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled ?? false}
    >
      <Base.Trigger
        className={cn(
          "inline-flex w-full items-center justify-between gap-2 rounded-md border border-input bg-surface px-3 text-sm disabled:opacity-60",
          size === "sm" ? "h-8" : "h-9",
          className,
        )}
        {...rest}
      >
        <span className="truncate">
          <Base.Value />
        </span>
        <Base.Icon>
          <ChevronDown className="size-4 text-subtle" aria-hidden="true" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50" sideOffset={4} alignItemWithTrigger={false}>
          <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-md border bg-raised py-1 shadow-lg outline-none">
            <Base.List>
              {choices.map((choice) => (
                <Base.Item
                  key={choice.value}
                  value={choice.value}
                  className="grid cursor-default grid-cols-[1rem_1fr] items-center gap-2 px-2.5 py-1.5 text-sm outline-none data-[highlighted]:bg-muted"
                >
                  <Base.ItemIndicator className="col-start-1">
                    <Check className="size-4" aria-hidden="true" />
                  </Base.ItemIndicator>
                  <Base.ItemText className="col-start-2">{choice.label}</Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
