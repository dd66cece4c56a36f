import type { FilterName } from "../../contract/words";
import type { Bits, BitsPair } from "./bits";

/** One filter that is set, as sets of rows. */
export interface Term {
  filter: FilterName;
  /** No other row matches than those in any of these … */
  any: Bits[];
  /** … and not in this. */
  but: Bits | null;
  /** Of those, the ones in here match only where `matches` says so. */
  doubtful: BitsPair[];
  matches: (row: number) => boolean;
}

export const always = (): boolean => true;

/** A filter that no row meets. */
export function noneOf(filter: FilterName): Term {
  return { filter, any: [], but: null, doubtful: [], matches: always };
}
