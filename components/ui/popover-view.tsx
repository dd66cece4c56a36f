"use client";

import { Popover as Base } from "@base-ui/react/popover";
import { cn } from "./cn";
import type { PopoverProps } from "./popover";

/** A popover that is open. */
export function PopoverView({ trigger, label, children, className, align = "start" }: PopoverProps) {
  return (
    <Base.Root defaultOpen>
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
