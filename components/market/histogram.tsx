"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { cn } from "@/components/ui/cn";
import type { Range } from "@/lib/client/market-search";

interface HistogramProps {
  name: string;
  buckets: readonly { from: number; to: number; count: number }[];
  from: number | null;
  to: number | null;
  onChange: (range: Range) => void;
  onlyFrom: boolean;
}

const thumb =
  "pointer-events-none absolute inset-x-0 bottom-0 h-4 w-full appearance-none bg-transparent [&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-primary [&::-moz-range-thumb]:bg-surface [&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:cursor-grab [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-primary [&::-webkit-slider-thumb]:bg-surface";

/** How many offers there are of each size; its two ends stand on the edges of the bars. */
export function Histogram({ name, buckets, from, to, onChange, onlyFrom }: HistogramProps) {
  const t = useTranslations("market.filters");
  const edges = [...buckets.map((bucket) => bucket.from), buckets.at(-1)?.to ?? 0];
  const last = edges.length - 1;
  const most = Math.max(...buckets.map(({ count }) => count), 1);
  const settled = { low: lowEdge(edges, from), high: highEdge(edges, to) };
  const [moved, setMoved] = useState<typeof settled | null>(null);
  const { low, high } = moved ?? settled;
  const settle = () => {
    if (!moved) return;
    setMoved(null);
    onChange({
      from: moved.low === settled.low ? from : moved.low === 0 ? null : edgeAt(edges, moved.low),
      to: moved.high === settled.high ? to : moved.high === last ? null : edgeAt(edges, moved.high),
    });
  };
  const slider = (end: "low" | "high", value: number) => (
    <input
      type="range"
      className={thumb}
      min={0}
      max={last}
      step={1}
      value={value}
      aria-label={`${name}: ${t(end === "low" ? "from" : "to")}`}
      aria-valuetext={String(edgeAt(edges, value))}
      onChange={(event) => {
        const next = Number(event.target.value);
        setMoved(
          end === "low" ? { low: Math.min(next, high - 1), high } : { low, high: Math.max(next, low + 1) },
        );
      }}
      onPointerUp={settle}
      onKeyUp={settle}
      onBlur={settle}
    />
  );
  return (
    <div className="relative h-16">
      <div className="absolute inset-x-2 top-0 bottom-2 flex items-end gap-px" aria-hidden="true">
        {buckets.map(({ from: begin, count }, i) => (
          <div
            key={begin}
            className={cn("min-w-0 grow rounded-t-sm", i >= low && i < high ? "bg-primary/70" : "bg-border")}
            style={{ height: count === 0 ? 1 : `${Math.max(4, Math.sqrt(count / most) * 100)}%` }}
          />
        ))}
      </div>
      <div className="absolute inset-x-2 bottom-1.5 h-1 rounded bg-border" aria-hidden="true">
        <div
          className="absolute h-1 rounded bg-primary"
          style={{ left: `${(low / last) * 100}%`, right: `${100 - (high / last) * 100}%` }}
        />
      </div>
      {slider("low", low)}
      {!onlyFrom && slider("high", high)}
    </div>
  );
}

function lowEdge(edges: readonly number[], from: number | null): number {
  if (from === null) return 0;
  return Math.max(
    0,
    edges.findLastIndex((_, i) => edgeAt(edges, i) <= from),
  );
}

function highEdge(edges: readonly number[], to: number | null): number {
  if (to === null) return edges.length - 1;
  const found = edges.findIndex((_, i) => edgeAt(edges, i) >= to);
  return found === -1 ? edges.length - 1 : Math.max(1, found);
}

/** Three digits are enough to mean an edge. */
function edgeAt(edges: readonly number[], i: number): number {
  return Number((edges[i] ?? 0).toPrecision(3));
}
