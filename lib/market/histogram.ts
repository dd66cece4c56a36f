const BUCKETS = 20;
/** From which spread of the values on a linear scale would hide the small ones. */
const LOG_FROM_SPREAD = 100;
const OUTLIERS = 0.01;
const EDGE_DIGITS = 4;

/** How often each value occurs, ascending by value. */
export type CountedValues = readonly (readonly [value: number, count: number])[];

interface Bucket {
  from: number;
  to: number;
  count: number;
}

/**
 * Buckets over all values; each begins at `from` and ends before `to`, the last at it. The inner edges are spaced evenly,
 * or by logarithm, between the 1 % and the 99 % quantile, so that one absurd value does not push the rest into one bucket.
 */
export function makeHistogram(values: CountedValues): Bucket[] {
  const [first, last] = [values[0]?.[0], values.at(-1)?.[0]];
  if (first === undefined || last === undefined) return [];
  const edges = [first, ...innerEdges(values).filter((edge) => edge > first && edge < last), last];
  const buckets = edges
    .slice(1)
    .map((to, i) => ({ from: edges[i] ?? first, to, count: 0 }))
    .filter(({ from, to }, i) => i === 0 || from < to);
  let at = 0;
  for (const [value, count] of values) {
    while (at < buckets.length - 1 && value >= (buckets[at]?.to ?? last)) at += 1;
    const bucket = buckets[at];
    if (bucket) bucket.count += count;
  }
  return buckets;
}

function innerEdges(values: CountedValues): number[] {
  const [low, high] = [quantile(values, OUTLIERS), quantile(values, 1 - OUTLIERS)];
  const isLog = low > 0 && high / low > LOG_FROM_SPREAD;
  const edges = Array.from({ length: BUCKETS - 1 }, (_, i) => {
    const part = (i + 1) / BUCKETS;
    const edge = isLog ? low * (high / low) ** part : low + (high - low) * part;
    return Number(edge.toPrecision(EDGE_DIGITS));
  });
  return [...new Set(edges)];
}

function quantile(values: CountedValues, part: number): number {
  const total = values.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.floor(part * (total - 1));
  for (const [value, count] of values) {
    if (left < count) return value;
    left -= count;
  }
  return Number.NaN;
}
