"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Overview } from "./host-queries";

type Days = Overview["utilisation"];

/** How much of seven days somebody rented it: a share, and a bar for each day. */
export function Utilisation({ days }: { days: Days }) {
  const t = useTranslations("hosts.utilisation");
  const format = useFormatter();
  const share = shareOf(days);
  return (
    <div className="flex items-end gap-2">
      <span className="text-sm font-medium tabular-nums">
        {share === null ? t("none") : format.number(share, { style: "percent", maximumFractionDigits: 0 })}
      </span>
      <span aria-hidden="true" className="flex h-6 items-end gap-0.5">
        {days.map(({ day, seconds_rented: rented, seconds_total: total }) => (
          <span key={day} className="flex h-full w-1.5 items-end overflow-hidden rounded-sm bg-muted">
            <span
              className="w-full bg-primary"
              style={{ height: `${total === 0 ? 0 : Math.round((100 * rented) / total)}%` }}
            />
          </span>
        ))}
      </span>
    </div>
  );
}

function shareOf(days: Days): number | null {
  const total = days.reduce((sum, day) => sum + day.seconds_total, 0);
  return total === 0 ? null : days.reduce((sum, day) => sum + day.seconds_rented, 0) / total;
}
