import type { ReactNode } from "react";

interface RowProps {
  /** Below the heading that the list stands under. */
  heading?: "h2" | "h3";
  title: ReactNode;
  badges?: ReactNode;
  /** A line under the title. */
  sub?: ReactNode;
  facts: readonly { label: string; value: ReactNode }[];
  actions?: ReactNode;
  /** Under all of it. */
  children?: ReactNode;
}

/** One thing of a list: what it is called, its facts with their names, and what can be done with it. */
export function Row({ heading: Heading = "h2", title, badges, sub, facts, actions, children }: RowProps) {
  return (
    <li
      data-row
      tabIndex={-1}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 px-4 py-3 -outline-offset-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.7fr)_9.5rem]"
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Heading className="min-w-0 break-words font-medium">{title}</Heading>
          {badges}
        </div>
        {sub && <p className="break-words text-sm text-subtle">{sub}</p>}
      </div>
      <dl className="order-last col-span-2 grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-[minmax(0,1.7fr)_repeat(3,minmax(0,1fr))] lg:order-none lg:col-span-1">
        {facts.map(({ label, value }) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-subtle">{label}</dt>
            <dd className="wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex items-center justify-end gap-1">{actions}</div>
      {children && <div className="order-last col-span-full">{children}</div>}
    </li>
  );
}

/** An id as people copy it. */
export function Id({ value }: { value: string }) {
  return <code className="break-all font-mono text-xs text-subtle">{value}</code>;
}
