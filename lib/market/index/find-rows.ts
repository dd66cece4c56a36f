import type { Bits } from "./bits";
import { BLOCK, type RowSpace } from "./row-space";
import type { Term } from "./term";

/**
 * For each term writes to a set of its own the rows of `live` that meet all the others, and to `found` those that meet all.
 * @param butOne sets that were taken one after the other, one a term
 */
export function findRowsButOne(
  space: RowSpace,
  live: Bits,
  terms: readonly Term[],
  found: Bits,
  butOne: readonly Bits[],
): void {
  for (let from = 0; from < space.words; from += BLOCK) {
    const to = Math.min(from + BLOCK, space.words);
    for (const [i, term] of terms.entries()) {
      const met = butOne[i] as Bits;
      met.set(live.subarray(from, to), from);
      term.narrow(met, from, to);
    }
    space.spareEach(live, found, butOne, from, to);
  }
}

/** Writes to `found` the rows of `live` that meet every term. @returns how many there are */
export function findRows(space: RowSpace, live: Bits, terms: readonly Term[], found: Bits): number {
  let count = 0;
  for (let from = 0; from < space.words; from += BLOCK) {
    const to = Math.min(from + BLOCK, space.words);
    found.set(live.subarray(from, to), from);
    if (terms.every((term) => term.narrow(found, from, to))) count += space.count(found, from, to);
  }
  return count;
}
