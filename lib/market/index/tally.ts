import { type Bucket, cutBuckets, spreadOf } from "../histogram";
import { countAtMost, type RangeColumn, UNKNOWN_BIN } from "./range-column";
import type { WordColumn } from "./word-column";

/** How many of the rows have each word, by its code. */
export function tallyWords({ codes, words }: WordColumn, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(words.length);
  for (let i = 0; i < rows.length; i += 1) {
    const code = codes[rows[i] as number] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}

/** How often each value occurs among the rows, ascending by value. Only for facts of few values. */
export function tallyValues({ values }: RangeColumn, rows: Uint32Array): [value: number, count: number][] {
  const counts = new Map<number, number>();
  for (let i = 0; i < rows.length; i += 1) {
    const value = values[rows[i] as number] as number;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

/** How a fact is shown: prices in another currency. */
export interface Shown {
  /** The number that people see for a value. */
  show: (value: number) => number;
  /** The smallest value that is shown as this or more. */
  leastShownAs: (edge: number) => number;
}

interface RangeTally {
  min: number | null;
  max: number | null;
  unknown: number;
  buckets: Bucket[];
}

/** The spread of a fact among the rows, and its histogram. Bins are counted; only those that an edge cuts are looked into. */
export function tallyRange(
  column: RangeColumn,
  rows: Uint32Array,
  { show, leastShownAs }: Shown,
): RangeTally {
  const { bins, values } = column;
  const inBin = new Uint32Array(256);
  for (let i = 0; i < rows.length; i += 1) {
    const bin = bins[rows[i] as number] as number;
    inBin[bin] = (inBin[bin] as number) + 1;
  }
  const unknown = inBin[UNKNOWN_BIN] as number;
  const total = rows.length - unknown;
  if (total === 0) return { min: null, max: null, unknown, buckets: [] };
  const valuesIn = (bin: number): Float64Array => {
    const found = new Float64Array(inBin[bin] as number);
    let at = 0;
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i] as number;
      if (bins[row] === bin) found[at++] = values[row] as number;
    }
    return found.sort();
  };
  const sorted = new Map<number, Float64Array>();
  const rank = (k: number): number => {
    let left = k;
    for (let bin = 0; bin < column.binCount; bin += 1) {
      const count = inBin[bin] as number;
      if (left < count) {
        const inside = sorted.get(bin) ?? valuesIn(bin);
        sorted.set(bin, inside);
        return inside[left] as number;
      }
      left -= count;
    }
    return Number.NaN;
  };
  const [first, last] = [rank(0), rank(total - 1)];
  const buckets = cutBuckets(spreadOf(total, (k) => show(rank(k))));
  // A value is in the first bucket that does not end at or before it; the last one takes the end too.
  const ends = Float64Array.from(buckets.slice(0, -1), ({ to }) => leastShownAs(to));
  const counts = new Uint32Array(buckets.length);
  const bucketOfBin = new Int16Array(256).fill(-1);
  for (let bin = 0; bin < column.binCount; bin += 1) {
    const [least, most] = column.boundsOf(bin);
    const bucket = countAtMost(ends, least);
    if (least > most || bucket !== countAtMost(ends, most)) continue;
    bucketOfBin[bin] = bucket;
    counts[bucket] = (counts[bucket] as number) + (inBin[bin] as number);
  }
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] as number;
    const bin = bins[row] as number;
    if (bin === UNKNOWN_BIN || (bucketOfBin[bin] as number) >= 0) continue;
    const bucket = countAtMost(ends, values[row] as number);
    counts[bucket] = (counts[bucket] as number) + 1;
  }
  return {
    min: show(first),
    max: show(last),
    unknown,
    buckets: buckets.map((bucket, i) => ({ ...bucket, count: counts[i] as number })),
  };
}
