"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Overview } from "./host-queries";

const HOUR_S = 3600;

/** How much of each of seven days somebody rented it. */
export function UtilisationTable({ days }: { days: Overview["utilisation"] }) {
  const t = useTranslations("hosts.utilisation");
  const format = useFormatter();
  const hours = (seconds: number) => format.number(seconds / HOUR_S, { maximumFractionDigits: 1 });
  return (
    <table className="w-full text-sm">
      <thead className="text-left text-xs text-subtle">
        <tr>
          <th className="pb-2 font-medium">{t("dayColumn")}</th>
          <th className="pb-2 font-medium" colSpan={2}>
            {t("rentedColumn")}
          </th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, seconds_rented: rented, seconds_total: total }) => {
          const share = total === 0 ? 0 : rented / total;
          return (
            <tr key={day} className="border-t">
              <th scope="row" className="whitespace-nowrap py-2 pr-4 text-left font-normal">
                {format.dateTime(new Date(day), {
                  weekday: "short",
                  day: "numeric",
                  month: "short",
                  timeZone: "UTC",
                })}
              </th>
              <td className="w-full py-2 pr-4">
                <div className="h-2 overflow-hidden rounded-full bg-muted" aria-hidden="true">
                  <div
                    className="h-full rounded-full bg-primary"
                    style={{ width: `${Math.min(100, 100 * share)}%` }}
                  />
                </div>
              </td>
              <td className="whitespace-nowrap py-2 text-right tabular-nums">
                {total === 0 ? t("none") : t("hours", { hours: hours(rented), total: hours(total) })}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
