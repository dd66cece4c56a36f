"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";

function subscribe(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** Stays in sight while the browser has no network. */
export function OfflineNotice() {
  const t = useTranslations("shell");
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!online && (
        <p className="bg-warning-soft px-4 py-2 text-center text-sm text-on-warning-soft">{t("offline")}</p>
      )}
    </div>
  );
}
