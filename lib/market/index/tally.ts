import { type Bucket, cutBuckets, spreadOf } from "../histogram";
import type { FoundRows } from "./found-rows";
import { countAtMost, type RangeColumn } from "./range-column";

/** How often each value occurs among the rows, ascending by value. Only for facts of few values. */
export function tallyValues(column: RangeColumn, found: FoundRows): [value: number, count: number][] {
  const inSlice = column.tally(found);
  const isShared = inSlice.some((count, slice) => count > 0 && !isUniform(column, slice));
  if (!isShared) {
    return [...inSlice].flatMap((count, slice) =>
      count > 0 ? [[column.boundsOfSlice(slice)[0], count]] : [],
    );
  }
  const counts = new Map<number, number>();
  for (const row of found.rows) {
    const value = column.values[row] as number;
    if (!Number.isNaN(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
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

/** The spread of a fact among the rows, and its histogram. Slices are counted; only those that an end or an edge falls into are looked into. */
export function tallyRange(column: RangeColumn, found: FoundRows, { show, leastShownAs }: Shown): RangeTally {
  const before = cumulate(column.tally(found));
  const total = before.at(-1) as number;
  const unknown = found.count - total;
  if (total === 0) return { min: null, max: null, unknown, buckets: [] };
  const rank = rankOf(column, found, before);
  const buckets = cutBuckets(spreadOf(total, (k) => show(rank(k))));
  // A value is in the first bucket that does not end at or before it; the last one takes the end too.
  const edges = Float64Array.from(buckets.slice(0, -1), ({ to }) => leastShownAs(to));
  const upTo = [...countBelow(edges, column, found, before), total];
  return {
    min: show(rank(0)),
    max: show(rank(total - 1)),
    unknown,
    buckets: buckets.map((bucket, i) => ({ ...bucket, count: (upTo[i] as number) - (upTo[i - 1] ?? 0) })),
  };
}

function isUniform(column: RangeColumn, slice: number): boolean {
  const [least, most] = column.boundsOfSlice(slice);
  return least >= most;
}

/** How many there are in all slices before each one, and at last in all. */
function cumulate(inSlice: Uint32Array): Uint32Array {
  const before = new Uint32Array(inSlice.length + 1);
  let sum = 0;
  for (let slice = 0; slice < inSlice.length; slice += 1) {
    sum += inSlice[slice] as number;
    before[slice + 1] = sum;
  }
  return before;
}

/** The value that stands at a place of all; only for the places that a spread asks for. */
function rankOf(column: RangeColumn, found: FoundRows, before: Uint32Array): (k: number) => number {
  const sliceAt = (k: number) => countAtMost(before, k) - 1;
  const shared = new Set<number>();
  spreadOf(before.at(-1) as number, (k) => {
    if (!isUniform(column, sliceAt(k))) shared.add(sliceAt(k));
    return 0;
  });
  const read = readSlices(column, found, before, shared);
  read.values.sort();
  return (k) => {
    const slice = sliceAt(k);
    if (!shared.has(slice)) return column.boundsOfSlice(slice)[0];
    return read.values[k - read.unreadBefore(slice)] as number;
  };
}

/** How many values are less than each edge. */
function countBelow(
  edges: Float64Array,
  column: RangeColumn,
  found: FoundRows,
  before: Uint32Array,
): number[] {
  const cut = new Set<number>();
  const wholeSlices = Array.from(edges, (edge) => {
    const slice = column.sliceOf(edge);
    const [least, most] = column.boundsOfSlice(slice);
    if (least < edge && most >= edge) cut.add(slice);
    return most < edge ? slice + 1 : slice;
  });
  const read = readSlices(column, found, before, cut);
  const inBucket = new Uint32Array(edges.length + 1);
  for (const value of read.values) {
    const bucket = countAtMost(edges, value);
    inBucket[bucket] = (inBucket[bucket] as number) + 1;
  }
  let readBelow = 0;
  return wholeSlices.map((slice, i) => {
    readBelow += inBucket[i] as number;
    return read.unreadBefore(slice) + readBelow;
  });
}

/** The values of the rows in some slices, and how many rows before a slice were not read. */
function readSlices(
  { slices, values }: RangeColumn,
  found: FoundRows,
  before: Uint32Array,
  asked: ReadonlySet<number>,
): { values: Float64Array; unreadBefore(slice: number): number } {
  const inside = (slice: number) => (before[slice + 1] as number) - (before[slice] as number);
  const ascending = [...asked].filter((slice) => inside(slice) > 0).sort((a, b) => a - b);
  const read = new Float64Array(ascending.reduce((sum, slice) => sum + inside(slice), 0));
  let next = 0;
  if (read.length > 0) {
    found.pick(slices, ascending, (row) => {
      read[next++] = values[row] as number;
    });
  }
  return {
    values: read,
    unreadBefore: (slice) =>
      ascending.reduce(
        (left, other) => (other < slice ? left - inside(other) : left),
        before[slice] as number,
      ),
  };
}
