"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

export interface Series {
  key: string;
  name: string;
  /** A CSS colour, by default one of the theme's. */
  color?: string;
}

export interface Point {
  /** Milliseconds since 1970. */
  at: number;
  [key: string]: number | null;
}

interface TimeSeriesProps {
  /** Says what it shows, for those who do not see it. */
  label: string;
  points: readonly Point[];
  series: readonly Series[];
  /** Writes a value with its unit. */
  format: (value: number) => string;
  /** The least that the axis reaches, such as 100 of a percentage. */
  top?: number;
  height?: number;
}

/** Values over time. A null is a gap. */
export function TimeSeries({ label, points, series, format, top, height = 180 }: TimeSeriesProps) {
  const intl = useFormatter();
  const t = useTranslations("common");
  if (points.length === 0) return <p className="py-8 text-center text-sm text-subtle">{t("none")}</p>;
  const first = points[0]?.at ?? 0;
  const last = points.at(-1)?.at ?? 0;
  const days = last - first > 36 * 3600_000;
  const tick = (at: number) =>
    intl.dateTime(at, days ? { month: "short", day: "numeric" } : { hour: "2-digit", minute: "2-digit" });
  return (
    <figure aria-label={label}>
      <ResponsiveContainer width="100%" height={height}>
        <AreaChart data={[...points]} margin={{ top: 8, right: 4, bottom: 0, left: 0 }} accessibilityLayer>
          <CartesianGrid stroke="var(--border)" vertical={false} />
          <XAxis
            dataKey="at"
            type="number"
            domain={["dataMin", "dataMax"]}
            tickFormatter={tick}
            tick={{ fontSize: 11, fill: "var(--subtle)" }}
            tickLine={false}
            axisLine={false}
            minTickGap={40}
          />
          <YAxis
            domain={[0, (max: number) => Math.max(max, top ?? 0)]}
            tickFormatter={format}
            width={64}
            tick={{ fontSize: 11, fill: "var(--subtle)" }}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            labelFormatter={(at) => intl.dateTime(Number(at), { dateStyle: "medium", timeStyle: "short" })}
            formatter={(value, name) => [format(Number(value)), name]}
            contentStyle={{
              background: "var(--raised)",
              border: "1px solid var(--border)",
              borderRadius: 8,
              fontSize: 12,
            }}
          />
          {series.map(({ key, name, color }, i) => (
            <Area
              key={key}
              dataKey={key}
              name={name}
              stroke={color ?? `var(--chart-${(i % 4) + 1})`}
              fill={color ?? `var(--chart-${(i % 4) + 1})`}
              fillOpacity={0.12}
              strokeWidth={1.75}
              dot={points.length === 1}
              isAnimationActive={false}
              connectNulls={false}
            />
          ))}
        </AreaChart>
      </ResponsiveContainer>
    </figure>
  );
}
