import type { FilterName } from "../../contract/words";
import type { Bits } from "./bits";
import type { RowSpace } from "./row-space";

/** One filter that is set. */
export interface Term {
  filter: FilterName;
  /** About how many sets are read for it. */
  cost: number;
  /** Takes the rows that do not match out of the words `from` to `to` of a set. @returns whether any is left */
  narrow(found: Bits, from: number, to: number): boolean;
}

/** The rows of a set, or those of it that are not in another. */
export function termOfSet(space: RowSpace, filter: FilterName, within: Bits, but: Bits | null = null): Term {
  return {
    filter,
    cost: but ? 2 : 1,
    narrow: (found, from, to) =>
      space.keep(found, within, from, to) && (but === null || space.drop(found, but, from, to)),
  };
}

/** A filter that no row meets. */
export function noneOf(filter: FilterName): Term {
  return {
    filter,
    cost: 0,
    narrow(found, from, to) {
      found.fill(0, from, to);
      return false;
    },
  };
}
