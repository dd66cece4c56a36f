interface ProgressProps {
  /** From 0 to 1. */
  part: number;
  /** What goes on, in words. */
  label: string;
}

/** How far something is, as a bar and in percent. */
export function Progress({ part, label }: ProgressProps) {
  const percent = Math.floor(Math.min(Math.max(part, 0), 1) * 100);
  return (
    <div className="space-y-1">
      <div className="flex justify-between gap-4 text-sm">
        <span className="min-w-0 break-words">{label}</span>
        <span className="tabular-nums text-subtle">{percent} %</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        tabIndex={-1}
        className="h-2 overflow-hidden rounded-full bg-muted"
      >
        <div className="h-full rounded-full bg-primary transition-[width]" style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
