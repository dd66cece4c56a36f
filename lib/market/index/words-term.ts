import type { FilterName } from "../../contract/words";
import { at, type Bits } from "./bits";
import type { Part, RowSpace } from "./row-space";
import { type Term, termOfSet } from "./term";
import type { WordRows } from "./word-column";

/** To look at one row costs as much as so many words of a set. */
const ROW_COST = 32;
/** A part of a set as much as so many sets. */
const PART_COST = 3;

/**
 * The rows whose word is wanted in any of some columns.
 * @param room two sets to write to while it is narrowed
 */
export function termOfWords(
  space: RowSpace,
  filter: FilterName,
  columns: readonly WordRows[],
  [sure, doubt]: readonly [Bits, Bits],
): Term {
  const [only] = columns;
  // Whichever is less: what is wanted, or all but what is not.
  const inverse = only && columns.length === 1 && countOthers(only) < countWanted(only) ? only : null;
  const sets = inverse ? inverse.otherSets : columns.flatMap((column) => column.sets);
  const parts = inverse ? inverse.otherParts : columns.flatMap((column) => column.parts);
  const doubtful = columns.flatMap((column) => column.doubtful);
  const [first] = sets;
  if (!inverse && parts.length + doubtful.length === 0 && sets.length === 1 && first)
    return termOfSet(space, filter, first);
  const cost = 2 + sets.length + PART_COST * (parts.length + doubtful.length);

  function narrow(found: Bits, from: number, to: number): boolean {
    if (space.count(found, from, to) * ROW_COST < cost * (to - from)) return judge(found, found, from, to);
    unite(sure, sets, parts, from, to);
    if (doubtful.length > 0) {
      unite(doubt, [], doubtful, from, to);
      space.keep(doubt, found, from, to);
    }
    const isLeft = inverse
      ? space.keep(found, inverse.known, from, to) && space.drop(found, sure, from, to)
      : space.keep(found, sure, from, to);
    if (doubtful.length === 0) return isLeft;
    const left = space.drop(found, doubt, from, to);
    return judge(found, doubt, from, to) || left;
  }

  /** Of the rows of one set, adds those whose word is wanted to another, and takes the others out. @returns whether there are any */
  function judge(found: Bits, rows: Bits, from: number, to: number): boolean {
    let left = 0;
    for (let i = from; i < to; i += 1) {
      const word = at(rows, i);
      if (word === 0) continue;
      const kept = keepWanted(word, i, columns);
      found[i] = (at(found, i) & ~word) | kept;
      left |= kept;
    }
    return left !== 0;
  }

  function unite(into: Bits, all: readonly Bits[], some: readonly Part[], from: number, to: number): void {
    into.fill(0, from, to);
    for (const bits of all) space.add(into, bits, from, to);
    for (const part of some) space.addPart(into, part, from, to);
  }
  return { filter, cost, narrow };
}

const countWanted = ({ sets, parts }: WordRows) => sets.length + PART_COST * parts.length;
const countOthers = ({ otherSets, otherParts }: WordRows) => otherSets.length + PART_COST * otherParts.length;

/** Of the rows of a word, those whose own word is wanted. */
function keepWanted(rows: number, i: number, columns: readonly WordRows[]): number {
  let [left, kept] = [rows, 0];
  while (left !== 0) {
    const bit = left & -left;
    const row = (i << 5) + 31 - Math.clz32(bit);
    for (let c = 0; c < columns.length; c += 1) {
      const { codes, isWanted } = columns[c] as WordRows;
      if (isWanted[codes[row] as number]) kept |= bit;
    }
    left ^= bit;
  }
  return kept;
}
