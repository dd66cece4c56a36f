"use client";

import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** Inside a `<label>` with its text, or with an `aria-label`. */
export function Checkbox({ className, ...rest }: ComponentProps<typeof Base.Root>) {
  return (
    <Base.Root
      className={cn(
        "inline-flex size-4.5 shrink-0 items-center justify-center rounded border border-input bg-surface text-on-primary data-[checked]:border-primary data-[checked]:bg-primary data-[indeterminate]:border-primary data-[indeterminate]:bg-primary data-[disabled]:opacity-60",
        className,
      )}
      {...rest}
    >
      <Base.Indicator className="flex data-[unchecked]:hidden">
        {rest.indeterminate ? (
          <Minus className="size-3.5" aria-hidden="true" />
        ) : (
          <Check className="size-3.5" aria-hidden="true" />
        )}
      </Base.Indicator>
    </Base.Root>
  );
}
