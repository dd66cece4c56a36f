"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

/**
 * Keeps what was not saved: a closing tab is asked about by the browser, and a link of the page by the caller, who is
 * told where it led. Back and forward are the browser's own and are not held up.
 */
export function useLeaveGuard(isOn: boolean) {
  const router = useRouter();
  const [wished, setWished] = useState<string | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const isPlain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!(link instanceof HTMLAnchorElement) || !isPlain || link.target === "_blank") return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== window.location.origin || (pathname === window.location.pathname && hash !== "")) return;
      event.preventDefault();
      event.stopPropagation();
      setWished(pathname + search + hash);
    };
    window.addEventListener("beforeunload", hold);
    // Before Next's own handler on the link.
    document.addEventListener("click", ask, true);
    return () => {
      window.removeEventListener("beforeunload", hold);
      document.removeEventListener("click", ask, true);
    };
  }, [isOn]);
  return {
    isAsked: wished !== null,
    stay: () => setWished(null),
    leave: () => wished !== null && router.push(wished),
  };
}
