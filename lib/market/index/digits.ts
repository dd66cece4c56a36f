import { type Bits, clearBit, setBit } from "./bits";
import type { RowSpace } from "./row-space";

const DIGITS = 4;

/** Into so many parts a set is divided. */
export const PARTS = 2 ** DIGITS;

/** Of every row a number below sixteen, as four sets that follow each other: one a binary digit, the highest first. */
export class Digits {
  static readonly SETS = DIGITS;

  readonly #sets: Bits[];

  constructor(space: RowSpace, copied?: Digits) {
    this.#sets = copied
      ? copied.#sets.map((bits) => space.take(bits))
      : Array.from({ length: DIGITS }, () => space.take());
  }

  /** The first of the sets, by which the kernel finds the others. */
  get first(): Bits {
    return this.#sets[0] as Bits;
  }

  set(row: number, part: number): void {
    for (let i = 0; i < DIGITS; i += 1) {
      const bits = this.#sets[i] as Bits;
      if ((part >>> (DIGITS - 1 - i)) & 1) setBit(bits, row);
      else clearBit(bits, row);
    }
  }

  clear(): void {
    for (const bits of this.#sets) bits.fill(0);
  }
}
