import type { Bits } from "./bits";
import { Codes } from "./codes";
import type { Lowest, RowSpace, SomeRows } from "./row-space";

/** Rows that were found among those that there are: as a set, and one by one where they are asked for. Good until others are found. */
export class FoundRows {
  readonly set: Bits;
  readonly count: number;
  readonly #space: RowSpace;
  readonly #live: Bits;
  readonly #room: Bits;
  /** They are more than all others, which are less to count then. */
  readonly #areMost: boolean;
  readonly #ofMany: boolean;
  #rows: SomeRows | undefined;
  #others: SomeRows | undefined;

  /**
   * @param room a set to write to
   * @param ofMany whether many facts of them are going to be looked at
   */
  constructor(
    space: RowSpace,
    { live, found, room }: { live: Bits; found: Bits; room: Bits },
    ofMany = false,
  ) {
    this.set = found;
    this.count = space.count(found);
    this.#space = space;
    this.#live = live;
    this.#room = room;
    this.#areMost = this.count * 2 > space.count(live);
    this.#ofMany = ofMany;
  }

  get rows(): Uint32Array {
    return this.#listRows().list;
  }

  /**
   * How many of the rows have each code.
   * @param totals how many of all rows have each; other codes are left out
   */
  tally(codes: Codes | Uint32Array, totals: ArrayLike<number>): Uint32Array {
    const rows = this.#areMost ? this.#listOthers() : this.#listRows();
    const counts = this.#areMost ? Uint32Array.from(totals) : new Uint32Array(totals.length);
    const step = this.#areMost ? -1 : 1;
    if (codes instanceof Codes) {
      this.#space.tally(rows, codes, counts, step);
      return counts;
    }
    for (const row of rows.list) {
      const code = codes[row] as number;
      counts[code] = (counts[code] as number) + step;
    }
    return counts;
  }

  /** Calls back with those that have one of these codes. */
  pick(codes: Codes, asked: Iterable<number>, take: (row: number) => void): void {
    this.#space.pick(this.#listRows(), codes, asked, take);
  }

  /** Of those that are in another set too, the least value by code, and how many have it; all these values are known. */
  lowest(within: Bits, codes: Codes | Uint32Array, values: Float64Array, size: number): Lowest {
    this.#room.set(this.set);
    this.#space.keep(this.#room, within);
    // The list of the rows themselves is lost.
    this.#rows = this.#others = undefined;
    const rows = this.#space.list(this.#room);
    if (codes instanceof Codes) return this.#space.lowest(rows, codes, values, size);
    const least = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    const counts = new Uint32Array(size);
    for (const row of rows) {
      const code = codes[row] as number;
      counts[code] = (counts[code] as number) + 1;
      least[code] = Math.min(least[code] as number, values[row] as number);
    }
    return { least, counts };
  }

  #listRows(): SomeRows {
    if (!this.#rows) {
      const list = this.#space.list(this.set);
      this.#rows = { list, cards: this.#ofMany && !this.#areMost ? this.#space.gather(list) : null };
    }
    return this.#rows;
  }

  #listOthers(): SomeRows {
    if (!this.#others) {
      this.#room.set(this.#live);
      this.#space.drop(this.#room, this.set);
      // Behind the rows themselves: together they are as many as there are.
      const list = this.#space.list(this.#room, this.count);
      this.#others = { list, cards: this.#ofMany ? this.#space.gather(list) : null };
    }
    return this.#others;
  }
}
