"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

const control =
  "w-full rounded-md border border-input bg-surface px-3 text-sm text-foreground placeholder:text-subtle disabled:opacity-60 data-[invalid]:border-danger";

interface FieldProps {
  label: ReactNode;
  /** What to know before typing. */
  hint?: ReactNode;
  /** What is wrong with what was typed. */
  error?: string | undefined;
  /** For screen readers only, where the place says what it is. */
  hideLabel?: boolean;
  className?: string;
  children: ReactNode;
}

/** A label, one control (`Input`, `Textarea`, or any of Base UI's), a hint and an error, tied together for screen readers. */
export function Field({ label, hint, error, hideLabel, className, children }: FieldProps) {
  return (
    <Base.Root invalid={error !== undefined} className={cn("flex flex-col gap-1.5", className)}>
      <Base.Label className={cn("text-sm font-medium", hideLabel && "sr-only")}>{label}</Base.Label>
      {children}
      {hint && <Base.Description className="text-xs text-subtle">{hint}</Base.Description>}
      {error !== undefined && (
        <Base.Error match className="text-xs text-danger">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
}

export function Input({ className, ...rest }: ComponentProps<typeof Base.Control>) {
  return <Base.Control className={cn(control, "h-9", className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <Base.Control render={<textarea className={cn(control, "min-h-20 py-2", className)} {...rest} />} />;
}
