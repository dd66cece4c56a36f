"use client";

import { type ComponentType, cloneElement, type ReactElement, useState } from "react";

/**
 * What opens beside a button, loaded when the button is first used: positions, focus and keys of such things weigh more than
 * a page. Until then the button stands alone; pointing at it or focusing it fetches the rest.
 * @param load brings the component that renders the trigger and what it opens, open at first
 */
export function useOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
  trigger: ReactElement,
  popup: "menu" | "dialog",
): { View: ComponentType<Props> | null; closed: ReactElement } {
  const [View, setView] = useState<ComponentType<Props> | null>(null);
  const fetchIt = () => void load().catch(() => undefined);
  const closed = cloneElement(trigger as ReactElement<Record<string, unknown>>, {
    "aria-haspopup": popup,
    "aria-expanded": false,
    onPointerEnter: fetchIt,
    onFocus: fetchIt,
    onClick: () =>
      void load().then(
        (Loaded) => setView(() => Loaded),
        // The server has another build by now, and this page is of the one before.
        () => navigator.onLine && window.location.reload(),
      ),
  });
  return { View, closed };
}
