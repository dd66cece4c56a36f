import type { Bits, BitsPair } from "./bits";
import type { Term } from "./term";

/** Words of a set that are worked on at once: what a filter leaves of them stays in the first cache for the next. */
const BLOCK = 1_024;
const union = new Int32Array(BLOCK);

/** Writes to `found` the rows of `live` that meet every term. */
export function findRows(live: Bits, terms: readonly Term[], found: Bits): void {
  for (let from = 0; from < live.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, live.length);
    for (let i = from; i < to; i += 1) found[i] = live[i] as number;
    for (const term of terms) {
      if (meet(found, term, from, to)) continue;
      break;
    }
  }
  for (const { doubtful, judge } of terms) {
    for (const rows of doubtful) {
      if ("values" in judge) dropOutside(found, rows, judge.values, judge.above, judge.below);
      else dropMisses(found, rows, judge.matches);
    }
  }
}

/** Leaves of a block what may meet the term. @returns whether anything is left */
function meet(found: Bits, { any, but }: Term, from: number, to: number): boolean {
  let left = 0;
  const [first] = any;
  if (first !== undefined && any.length === 1) {
    if (but === null) {
      for (let i = from; i < to; i += 1) left |= found[i] = (found[i] as number) & (first[i] as number);
    } else {
      for (let i = from; i < to; i += 1)
        left |= found[i] = (found[i] as number) & (first[i] as number) & ~(but[i] as number);
    }
    return left !== 0;
  }
  // Set by set, so that each loop reads two arrays of one kind.
  union.fill(0);
  for (const bits of any) {
    for (let i = from; i < to; i += 1) union[i - from] = (union[i - from] as number) | (bits[i] as number);
  }
  for (let i = from; i < to; i += 1) left |= found[i] = (found[i] as number) & (union[i - from] as number);
  return left !== 0;
}

function dropMisses(found: Bits, { in: within, but }: BitsPair, matches: (row: number) => boolean): void {
  for (let i = 0; i < found.length; i += 1) {
    let word = (found[i] as number) & (within[i] as number);
    if (but) word &= ~(but[i] as number);
    while (word !== 0) {
      const bit = word & -word;
      if (!matches((i << 5) + 31 - Math.clz32(bit))) found[i] = (found[i] as number) & ~bit;
      word ^= bit;
    }
  }
}

/** As `dropMisses`, for strict bounds, without a call a row. */
function dropOutside(
  found: Bits,
  { in: within, but }: BitsPair,
  values: Float64Array,
  above: number,
  below: number,
): void {
  for (let i = 0; i < found.length; i += 1) {
    let word = (found[i] as number) & (within[i] as number);
    if (but) word &= ~(but[i] as number);
    while (word !== 0) {
      const bit = word & -word;
      const value = values[(i << 5) + 31 - Math.clz32(bit)] as number;
      if (!(value > above && value < below)) found[i] = (found[i] as number) & ~bit;
      word ^= bit;
    }
  }
}
