/** In milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** Of measured milliseconds, in any order. */
export function latencyOf(taken: readonly number[]): Latency {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
