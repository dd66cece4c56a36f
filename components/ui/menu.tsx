"use client";

import type { ReactElement, ReactNode } from "react";
import { useOnDemand } from "./use-on-demand";

export type MenuEntry =
  | {
      kind?: "action";
      label: ReactNode;
      icon?: ReactNode;
      onSelect: () => void;
      danger?: boolean;
      disabled?: boolean;
    }
  | { kind: "link"; label: ReactNode; icon?: ReactNode; href: string }
  | {
      kind: "choice";
      label: ReactNode;
      value: string;
      choices: readonly { value: string; label: ReactNode }[];
      onSelect: (value: string) => void;
    }
  | { kind: "separator" }
  | { kind: "text"; label: ReactNode };

export interface MenuProps {
  /** The button that opens it; it has no `onClick` of its own. */
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  align?: "start" | "end";
}

const load = () => import("./menu-view").then((file) => file.MenuView);

/** Actions and links behind one button. */
export function Menu(props: MenuProps) {
  const { View, closed } = useOnDemand(load, props.trigger, "menu");
  return View ? <View {...props} /> : closed;
}
