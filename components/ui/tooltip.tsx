"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

/** A word on something that the keyboard reaches too. What people must know belongs on the page itself. */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="z-50" sideOffset={6}>
          <Base.Popup className="max-w-72 rounded-md border bg-raised px-2.5 py-1.5 text-xs shadow-lg">
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
