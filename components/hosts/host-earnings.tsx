"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useFormatter, useNow, useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useCurrency } from "@/components/shell/currency";
import { Card, Stat } from "@/components/ui/card";
import { useMoney } from "@/components/ui/money";
import { Select } from "@/components/ui/select";
import { Problem, Skeleton } from "@/components/ui/states";
import type { AnswerOf } from "@/lib/client/call-operation";
import { operationQuery } from "@/lib/client/operation-query";

const TimeSeries = dynamic(() => import("@/components/charts/time-series").then((file) => file.TimeSeries), {
  loading: () => <Skeleton className="h-[180px]" />,
});

type Day = AnswerOf<"listHostEarnings">["data"][number];

const spans = ["7", "30", "90"] as const;
const DAY_MS = 86_400_000;
const HOUR_S = 3600;

/** What a host earned by day, as a chart and as a table. */
export function HostEarnings({ hostId }: { hostId: string }) {
  const t = useTranslations("hosts.earned");
  const title = useTranslations("hosts.one")("earnings");
  const [span, setSpan] = useQueryState("days", parseAsStringLiteral(spans).withDefault("30"));
  const currency = useCurrency();
  const days = lastDays(useNow(), Number(span));
  const call = { params: { host_id: hostId }, query: { currency, from: days[0] ?? "" } };
  const earned = useQuery({ ...operationQuery("listHostEarnings", call), refetchInterval: 60_000 });
  return (
    <Card
      title={title}
      actions={
        <Select
          aria-label={t("span")}
          size="sm"
          className="w-44"
          value={span}
          onChange={setSpan}
          choices={spans.map((value) => ({ value, label: t("days", { days: Number(value) }) }))}
        />
      }
    >
      {earned.isPending ? (
        <Skeleton className="h-64" />
      ) : !earned.data ? (
        <Problem error={earned.error} retry={() => earned.refetch()} />
      ) : (
        <Earned days={days} rows={earned.data.data} />
      )}
    </Card>
  );
}

function Earned({ days, rows }: { days: readonly string[]; rows: readonly Day[] }) {
  const t = useTranslations("hosts.earned");
  const format = useFormatter();
  const money = useMoney();
  const hours = (seconds: number) =>
    t("hours", { hours: format.number(seconds / HOUR_S, { maximumFractionDigits: 1 }) });
  const byDay = new Map(rows.map((row) => [row.day, row.amount]));
  // Noon: the same date in most time zones that a chart is read in.
  const points = days.map((day) => ({ at: Date.parse(`${day}T12:00:00Z`), amount: byDay.get(day) ?? 0 }));
  return (
    <div className="space-y-4">
      <dl className="grid grid-cols-2 gap-4">
        <Stat
          label={t("total")}
          value={money(
            rows.reduce((sum, { amount }) => sum + amount, 0),
            "sum",
          )}
        />
        <Stat label={t("rented")} value={hours(rows.reduce((sum, row) => sum + row.seconds_rented, 0))} />
      </dl>
      {rows.length === 0 ? (
        <p className="py-6 text-center text-sm text-subtle">{t("none")}</p>
      ) : (
        <>
          <TimeSeries
            label={t("chart")}
            points={points}
            series={[{ key: "amount", name: t("amount") }]}
            format={(value) => money(value, "sum")}
          />
          <div className="max-h-72 overflow-y-auto">
            <table className="w-full text-sm">
              <thead className="text-left text-xs text-subtle">
                <tr>
                  <th className="pb-2 font-medium">{t("day")}</th>
                  <th className="pb-2 text-right font-medium">{t("rented")}</th>
                  <th className="pb-2 text-right font-medium">{t("amount")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.day} className="border-t tabular-nums">
                    <th scope="row" className="py-2 text-left font-normal">
                      {format.dateTime(new Date(row.day), { dateStyle: "medium", timeZone: "UTC" })}
                    </th>
                    <td className="py-2 text-right">{hours(row.seconds_rented)}</td>
                    <td className="py-2 text-right">{money(row.amount)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <p className="text-xs text-subtle">{t("note")}</p>
    </div>
  );
}

/** UTC days, the oldest first, today the last. */
function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    new Date(now.getTime() - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
}
