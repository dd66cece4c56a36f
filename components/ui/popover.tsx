"use client";

import type { ReactElement, ReactNode } from "react";
import { useOnDemand } from "./use-on-demand";

export interface PopoverProps {
  /** The button that opens it; it has no `onClick` of its own. */
  trigger: ReactElement;
  /** Names it for screen readers. */
  label: string;
  children: ReactNode;
  className?: string;
  align?: "start" | "center" | "end";
}

const load = () => import("./popover-view").then((file) => file.PopoverView);

/** More of something, beside the button that opens it. */
export function Popover(props: PopoverProps) {
  const { View, closed } = useOnDemand(load, props.trigger, "dialog");
  return View ? <View {...props} /> : closed;
}
