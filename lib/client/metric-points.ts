import type { AnswerOf } from "./call-operation";

type Metric = AnswerOf<"listInstanceMetrics">["data"][number];

/** Per cent, and bytes a second; null where nothing was measured. */
export interface LoadPoint {
  /** Milliseconds since 1970. */
  at: number;
  gpuUtil: number | null;
  memUtil: number | null;
  cpuUtil: number | null;
  ramUtil: number | null;
  inetIn: number | null;
  inetOut: number | null;
  [key: string]: number | null;
}

/** A step may come a little late before it counts as missing. */
const LATE = 1.5;

/**
 * Points for charts: where more than a step is missing stands a gap, and counters of bytes are made rates. A counter that
 * fell is that of a new container.
 * @param step seconds
 */
export function toLoadPoints(metrics: readonly Metric[], step: number): LoadPoint[] {
  const points: LoadPoint[] = [];
  let before: Metric | undefined;
  for (const metric of metrics) {
    const at = Date.parse(metric.at);
    const seconds = before ? (at - Date.parse(before.at)) / 1000 : 0;
    const isGap = seconds > step * LATE;
    if (before && isGap) points.push(gapAt(Date.parse(before.at) + step * 1000));
    const rate = (name: "inet_in" | "inet_out") =>
      before && !isGap && metric[name] >= before[name] ? (metric[name] - before[name]) / seconds : null;
    points.push({
      at,
      gpuUtil: metric.gpu_util,
      memUtil: metric.mem_util,
      cpuUtil: metric.cpu_util,
      ramUtil: metric.ram_util,
      inetIn: rate("inet_in"),
      inetOut: rate("inet_out"),
    });
    before = metric;
  }
  return points;
}

/** Nothing, at an instant. */
export function gapAt(at: number): LoadPoint {
  return { at, gpuUtil: null, memUtil: null, cpuUtil: null, ramUtil: null, inetIn: null, inetOut: null };
}
