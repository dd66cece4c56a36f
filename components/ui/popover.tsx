"use client";

import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { cn } from "./cn";

interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Names it for screen readers. */
  label: string;
  children: ReactNode;
  className?: string;
  align?: "start" | "center" | "end";
}

/** More of something, beside the button that opens it. */
export function Popover({ trigger, label, children, className, align = "start" }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="z-50" sideOffset={6} align={align} collisionPadding={8}>
          <Base.Popup
            aria-label={label}
            className={cn(
              "max-h-(--available-height) w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border bg-raised p-4 shadow-xl outline-none",
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
