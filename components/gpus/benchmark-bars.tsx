"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { AnswerOf } from "@/lib/client/call-operation";

type Benchmark = AnswerOf<"getGpu">["data"]["benchmarks"][number];

/** Measured speeds, each bar beside the best of its own kind. */
export function BenchmarkBars({ benchmarks }: { benchmarks: readonly Benchmark[] }) {
  const t = useTranslations("market.gpu");
  const format = useFormatter();
  if (benchmarks.length === 0) return <p className="py-6 text-sm text-subtle">{t("noBenchmarks")}</p>;
  const best = (unit: string | null) =>
    Math.max(...benchmarks.filter((other) => other.unit === unit).map(({ score }) => score));
  return (
    <ul className="space-y-3">
      {benchmarks.map(({ name, model, score, unit, num_gpus }) => (
        <li key={`${name} ${model} ${num_gpus}`} className="text-sm">
          <div className="flex justify-between gap-4">
            <span className="min-w-0 truncate">
              {name}
              {model && <span className="text-subtle"> {model}</span>}
              {num_gpus > 1 && <span className="text-subtle"> × {num_gpus}</span>}
            </span>
            <span className="shrink-0 tabular-nums">
              {format.number(score)} {unit}
            </span>
          </div>
          <div className="mt-1 h-2 rounded bg-muted" aria-hidden="true">
            <div
              className="h-2 rounded bg-primary"
              style={{ width: `${Math.max(1, (score / (best(unit) || 1)) * 100)}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
