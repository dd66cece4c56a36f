function MooredMark() {
  return (
    <svg viewBox="0 0 32 32" className="size-8 text-sky-600 dark:text-sky-400" aria-hidden="true">
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

/** The name, which leads home. */
export function SiteHeader() {
  return (
    <header className="py-6">
      <a href="/" className="inline-flex items-center gap-3 text-lg font-semibold">
        <MooredMark />
        Berth
      </a>
    </header>
  );
}
