import { type Bits, type BitsPair, countWithin, listRows } from "./bits";
import type { RangeColumn } from "./range-column";
import { takeInOrder } from "./top-rows";

/** So few found rows are sorted as they are. */
const FEW = 2_048;

interface Page {
  column: RangeColumn;
  descending: boolean;
  start: number;
  limit: number;
  /** The order of rows with the same value. */
  byId: (a: number, b: number) => number;
  /** Room for all rows. */
  scratch: Uint32Array;
}

/** A page of the rows of `found`, `total` in all, in the order of a column; unknown values come last in both directions. */
export function pageRows(found: Bits, total: number, page: Page): number[] {
  const { column, descending, byId } = page;
  const { values } = column;
  const byValue = descending
    ? (a: number, b: number) => (values[b] as number) - (values[a] as number) || byId(a, b)
    : (a: number, b: number) => (values[a] as number) - (values[b] as number) || byId(a, b);
  return total <= FEW ? sortFew(found, page, byValue) : takeFromBins(found, total, page, byValue);
}

function sortFew(
  found: Bits,
  { column: { values }, byId, scratch, start, limit }: Page,
  byValue: (a: number, b: number) => number,
): number[] {
  const length = listRows(found, null, scratch);
  // A difference from NaN is no order.
  const order = (a: number, b: number) => {
    const [isA, isB] = [Number.isNaN(values[a]), Number.isNaN(values[b])];
    return isA || isB ? Number(isA) - Number(isB) || byId(a, b) : byValue(a, b);
  };
  return takeInOrder(scratch, length, { from: start, count: limit }, order);
}

/** Bin by bin; those before the page are only counted. */
function takeFromBins(
  found: Bits,
  total: number,
  { column, descending, byId, scratch, start, limit }: Page,
  byValue: (a: number, b: number) => number,
): number[] {
  const taken: number[] = [];
  let before = 0;
  const take = (rows: BitsPair, order: (a: number, b: number) => number): void => {
    const inside = countWithin(found, rows);
    if (inside > 0 && before + inside > start) {
      const length = listRows(found, rows, scratch);
      const from = Math.max(0, start - before);
      taken.push(...takeInOrder(scratch, length, { from, count: limit - taken.length }, order));
    }
    before += inside;
  };
  const bins = column.binCount;
  for (let i = 0; i < bins && taken.length < limit && before < total; i += 1) {
    const bin = descending ? bins - 1 - i : i;
    take(column.inBin(bin), column.isUniform(bin) ? byId : byValue);
  }
  if (taken.length < limit && before < total) take({ in: found, but: column.known }, byId);
  return taken;
}
