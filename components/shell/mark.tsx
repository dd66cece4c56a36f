/** A ship's berth, seen from the side. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect x="3" y="5" width="26" height="12" rx="3" fill="none" stroke="currentColor" strokeWidth="2.5" />
      <circle cx="11" cy="11" r="2.5" fill="currentColor" />
      <circle cx="21" cy="11" r="2.5" fill="currentColor" />
      <path
        d="M3 24c3.3 3 5.4 3 8.7 0s5.3-3 8.6 0 5.4 3 8.7 0"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
