"use client";

import { useFormatter, useNow, useTranslations } from "next-intl";
import { type Host, isSimulated, type Overview } from "./host-queries";

const TICK_MS = 5_000;

/** When the machine was last heard. */
export function LastReport({ host, overview }: { host: Host; overview: Overview }) {
  const t = useTranslations("hosts");
  const format = useFormatter();
  const now = useNow({ updateInterval: TICK_MS });
  if (overview.last_report_at === null) return t(isSimulated(host) ? "simulatedNoReports" : "never");
  const at = new Date(overview.last_report_at);
  return (
    <time
      dateTime={overview.last_report_at}
      title={format.dateTime(at, { dateStyle: "medium", timeStyle: "medium" })}
    >
      {format.relativeTime(at, at > now ? at : now)}
    </time>
  );
}
