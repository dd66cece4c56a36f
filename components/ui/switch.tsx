"use client";

import { Switch as Base } from "@base-ui/react/switch";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** On or off at once. Inside a `<label>` with its text, or with an `aria-label`. */
export function Switch({ className, ...rest }: ComponentProps<typeof Base.Root>) {
  return (
    <Base.Root
      className={cn(
        "inline-flex h-5.5 w-10 shrink-0 items-center rounded-full border border-input bg-muted p-0.5 transition-colors data-[checked]:border-primary data-[checked]:bg-primary data-[disabled]:opacity-60",
        className,
      )}
      {...rest}
    >
      <Base.Thumb className="size-4 rounded-full bg-subtle transition-transform data-[checked]:translate-x-4.5 data-[checked]:bg-on-primary" />
    </Base.Root>
  );
}
