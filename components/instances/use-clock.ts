"use client";

import { useEffect, useState } from "react";

/** Milliseconds since 1970, a second at a time; null until the page is in the browser, whose clock it is. */
export function useClock(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
