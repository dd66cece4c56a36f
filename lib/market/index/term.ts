import type { FilterName } from "../../contract/words";
import type { Bits, BitsPair } from "./bits";

/** One filter that is set, as sets of rows. */
export interface Term {
  filter: FilterName;
  /** No other row matches than those in any of these … */
  any: Bits[];
  /** … and not in this. */
  but: Bits | null;
  /** Of those, the ones in here match only where `judge` says so. */
  doubtful: BitsPair[];
  judge: Judge;
}

/** Says of a row whether it matches: by its value, strictly between two, or by any rule. A call a row costs more than all else. */
export type Judge =
  | { values: Float64Array; above: number; below: number }
  | { matches: (row: number) => boolean };

export const always: Judge = { matches: () => true };

/** A filter that no row meets. */
export function noneOf(filter: FilterName): Term {
  return { filter, any: [], but: null, doubtful: [], judge: always };
}
