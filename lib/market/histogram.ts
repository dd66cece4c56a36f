const BUCKETS = 20;
/** From which spread of the values on a linear scale would hide the small ones. */
const LOG_FROM_SPREAD = 100;
const OUTLIERS = 0.01;
const EDGE_DIGITS = 4;

/** How often each value occurs, ascending by value. */
export type CountedValues = readonly (readonly [value: number, count: number])[];

export interface Bucket {
  from: number;
  to: number;
  count: number;
}

/** What of a set of values the edges of its buckets depend on. */
interface Spread {
  first: number;
  /** The 1 % and the 99 % quantile. */
  low: number;
  high: number;
  last: number;
}

/**
 * Buckets over all values; each begins at `from` and ends before `to`, the last at it. The inner edges are spaced evenly,
 * or by logarithm, between the 1 % and the 99 % quantile, so that one absurd value does not push the rest into one bucket.
 */
export function makeHistogram(values: CountedValues): Bucket[] {
  const total = values.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  const rank = (k: number) => atRank(values, k);
  const buckets = cutBuckets(spreadOf(total, rank));
  let at = 0;
  for (const [value, count] of values) {
    while (at < buckets.length - 1 && value >= (buckets[at]?.to ?? Number.NaN)) at += 1;
    const bucket = buckets[at];
    if (bucket) bucket.count += count;
  }
  return buckets;
}

/** @param rank the value that stands at this place of all, from 0 */
export function spreadOf(total: number, rank: (k: number) => number): Spread {
  return {
    first: rank(0),
    low: rank(Math.floor(OUTLIERS * (total - 1))),
    high: rank(Math.floor((1 - OUTLIERS) * (total - 1))),
    last: rank(total - 1),
  };
}

/** Empty buckets for values that spread like this. */
export function cutBuckets({ first, low, high, last }: Spread): Bucket[] {
  const edges = [first, ...innerEdges(low, high).filter((edge) => edge > first && edge < last), last];
  return edges
    .slice(1)
    .map((to, i) => ({ from: edges[i] ?? first, to, count: 0 }))
    .filter(({ from, to }, i) => i === 0 || from < to);
}

function innerEdges(low: number, high: number): number[] {
  const isLog = low > 0 && high / low > LOG_FROM_SPREAD;
  const edges = Array.from({ length: BUCKETS - 1 }, (_, i) => {
    const part = (i + 1) / BUCKETS;
    const edge = isLog ? low * (high / low) ** part : low + (high - low) * part;
    return Number(edge.toPrecision(EDGE_DIGITS));
  });
  return [...new Set(edges)];
}

function atRank(values: CountedValues, k: number): number {
  let left = k;
  for (const [value, count] of values) {
    if (left < count) return value;
    left -= count;
  }
  return Number.NaN;
}
