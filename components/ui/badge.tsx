import type { ReactNode } from "react";
import { cn } from "./cn";

export type Tone = "neutral" | "good" | "warning" | "bad" | "info";

const tones: Record<Tone, string> = {
  neutral: "bg-muted text-foreground",
  good: "bg-success-soft text-on-success-soft",
  warning: "bg-warning-soft text-on-warning-soft",
  bad: "bg-danger-soft text-on-danger-soft",
  info: "bg-primary-soft text-on-primary-soft",
};

/** A word on the state of something. Colour is never all it says. */
export function Badge({
  tone = "neutral",
  className,
  children,
}: {
  tone?: Tone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1 whitespace-nowrap rounded px-1.5 py-0.5 text-xs font-medium",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
