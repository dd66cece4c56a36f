"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Card } from "@/components/ui/card";
import { Select } from "@/components/ui/select";
import { Problem, Skeleton } from "@/components/ui/states";
import { gapAt, type LoadPoint, toLoadPoints } from "@/lib/client/metric-points";
import { operationQuery } from "@/lib/client/operation-query";

const TimeSeries = dynamic(
  () => import("@/components/charts/time-series").then((module) => module.TimeSeries),
  {
    ssr: false,
    loading: () => <Skeleton className="h-[180px]" />,
  },
);

const ranges = ["1h", "6h", "24h", "7d"] as const;
const rangeMs = { "1h": 3_600_000, "6h": 21_600_000, "24h": 86_400_000, "7d": 604_800_000 };
const AGAIN_MS = 10_000;

const charts = [
  { key: "gpu", series: ["gpuUtil", "memUtil"] },
  { key: "cpu", series: ["cpuUtil", "ramUtil"] },
  { key: "network", series: ["inetIn", "inetOut"] },
] as const;

/** How an instance loads its machine, as it goes on. */
export function InstanceCharts({ id }: { id: string }) {
  const t = useTranslations("instances.charts");
  const [range, setRange] = useQueryState("range", parseAsStringLiteral(ranges).withDefault("1h"));
  const metrics = useQuery({
    ...operationQuery("listInstanceMetrics", { params: { instance_id: id }, query: { from: range } }),
    refetchInterval: range === "1h" ? AGAIN_MS : AGAIN_MS * 6,
    placeholderData: keepPreviousData,
  });
  if (!metrics.data && metrics.error) {
    return <Problem error={metrics.error} retry={() => metrics.refetch()} />;
  }
  const measured = metrics.data ? toLoadPoints(metrics.data.data, metrics.data.step) : [];
  const points =
    measured.length === 0
      ? []
      : [gapAt(metrics.dataUpdatedAt - rangeMs[range]), ...measured, gapAt(metrics.dataUpdatedAt)].sort(
          (a, b) => a.at - b.at,
        );
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="w-36">
          <Select
            aria-label={t("range")}
            size="sm"
            value={range}
            choices={ranges.map((value) => ({ value, label: t(`ranges.${value}`) }))}
            onChange={(value) => void setRange(value)}
          />
        </div>
        <p className="text-xs text-subtle">{t("gap")}</p>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {charts.map(({ key, series }) => (
          <Card key={key} title={t(key)}>
            {metrics.isPending ? (
              <Skeleton className="h-[204px]" />
            ) : points.length === 0 ? (
              <p className="py-16 text-center text-sm text-subtle">{t("empty")}</p>
            ) : (
              <Chart title={t(key)} series={series} points={points} last={measured.at(-1)} />
            )}
          </Card>
        ))}
      </div>
    </div>
  );
}

interface ChartProps {
  title: string;
  series: readonly ("gpuUtil" | "memUtil" | "cpuUtil" | "ramUtil" | "inetIn" | "inetOut")[];
  points: LoadPoint[];
  last: LoadPoint | undefined;
}

function Chart({ title, series, points, last }: ChartProps) {
  const t = useTranslations("instances.charts");
  const format = useFormatter();
  const isTraffic = series[0] === "inetIn";
  const write = (value: number) =>
    isTraffic
      ? t("perSecond", { value: bytes(format, value) })
      : format.number(value / 100, { style: "percent", maximumFractionDigits: 0 });
  const now = (key: (typeof series)[number]) => {
    const value = last?.[key];
    return t("now", { name: t(key), value: typeof value === "number" ? write(value) : "–" });
  };
  return (
    <>
      <ul className="mb-2 flex flex-wrap gap-x-4 text-xs">
        {series.map((key, i) => (
          <li key={key} className="flex items-center gap-1.5 tabular-nums">
            <span
              aria-hidden="true"
              className="size-2.5 rounded-sm"
              style={{ background: `var(--chart-${i + 1})` }}
            />
            {now(key)}
          </li>
        ))}
      </ul>
      <TimeSeries
        label={`${title}: ${series.map(now).join(", ")}`}
        points={points}
        series={series.map((key) => ({ key, name: t(key) }))}
        format={write}
        {...(isTraffic ? {} : { top: 100 })}
      />
    </>
  );
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

function bytes(format: ReturnType<typeof useFormatter>, value: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return format.number(value / 1000 ** power, {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: 1,
  });
}
