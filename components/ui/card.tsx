import type { ReactNode } from "react";
import { cn } from "./cn";

interface CardProps {
  title?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Card({ title, actions, className, children }: CardProps) {
  return (
    <section className={cn("rounded-xl border bg-surface", className)}>
      {(title || actions) && (
        <header className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3">
          {title && <h2 className="font-semibold">{title}</h2>}
          {actions}
        </header>
      )}
      <div className="p-4">{children}</div>
    </section>
  );
}

/** One figure with its name. */
export function Stat({ label, value, hint }: { label: ReactNode; value: ReactNode; hint?: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-subtle">{label}</dt>
      <dd className="mt-0.5 truncate text-lg font-semibold tabular-nums">{value}</dd>
      {hint && <dd className="text-xs text-subtle">{hint}</dd>}
    </div>
  );
}
