import type { RowSpace } from "./row-space";

/** A card has room for so many codes, 32 bytes in all. */
export const CARD = 16;

/** The code of an unknown value, which is not counted. */
export const UNKNOWN = 0xffff;

/**
 * A number below 65,536 of every row: the slice of its value, or its word. In a column, and for some facts on the row's card too, on which
 * its codes stand side by side: a column is read fast where many rows are looked at, and cards where few are, for many facts.
 */
export class Codes {
  /** A column takes as much as so many sets of rows. */
  static readonly SETS = 16;

  /** By row. */
  readonly column: Uint16Array;
  /** Its place on the cards; null: it is on none. */
  readonly slot: number | null;
  readonly #cards: Uint16Array;

  constructor(space: RowSpace, slot: number | null, copied?: Codes) {
    this.column = space.takeCodes(copied?.column);
    this.slot = slot;
    this.#cards = space.cards;
  }

  set(row: number, code: number): void {
    this.column[row] = code;
    if (this.slot !== null) this.#cards[row * CARD + this.slot] = code;
  }
}
