"use client";

import { useRouter } from "next/navigation";
import { useTimeZone } from "next-intl";
import { useEffect } from "react";
import { writeCookie } from "@/lib/client/write-cookie";
import { TIME_ZONE_COOKIE } from "@/lib/i18n/locales";

/** Tells the server the browser's time zone once, so that both write the same times. */
export function TimeZoneCookie() {
  const known = useTimeZone();
  const router = useRouter();
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!own || own === known) return;
    writeCookie(TIME_ZONE_COOKIE, own);
    if (document.cookie.includes(`${TIME_ZONE_COOKIE}=`)) router.refresh();
  }, [known, router]);
  return null;
}
