import type { Bits } from "./bits";
import { CARD, type Codes } from "./codes";
import { type CodesOfRows, type Kernel, openKernel } from "./kernel/kernel";

/** Words of a set that are worked on at once: what a filter leaves of them stays in the first cache for the next. */
export const BLOCK = 2_048;
const WORD = 4;
/** A 16-bit number is one of so many. */
const CODES = 65_536;
const CODE_BYTES = 2;
const VALUE_BYTES = 8;
/** The kernel writes so many words more than a list has. */
const OVERRUN = 4;
/** Of one row in so many the cards can be gathered. */
const GATHERED = 16;
/** From so many rows less one are picked at once. */
const PICKED = 4_096;
const PAGE = 65_536;

/**
 * The memory in which all sets of rows of an index lie, and what is done to whole sets there, 128 rows at a time. Parts of sets
 * are from one word to another, four words at a time.
 */
export class RowSpace {
  /** Of each set. */
  readonly words: number;
  readonly #buffer: ArrayBuffer;
  readonly #kernel: Kernel;
  #taken = 0;
  readonly #same: Bits;
  /** Of each row, see `Codes`. */
  readonly cards: Uint16Array;
  readonly #list: Uint32Array;
  readonly #gathered: Uint16Array;
  /** By code, of the rows that are tallied or picked. */
  readonly #counts: Uint32Array;
  readonly #least: Float64Array;
  readonly #isAsked: Uint8Array;
  readonly #picked: Uint32Array;

  /**
   * @param capacity rows, a multiple of 128
   * @param sets how many are going to be taken; what is not used is not paid for
   */
  constructor(capacity: number, sets: number) {
    this.words = capacity >>> 5;
    const gathered = Math.ceil(capacity / GATHERED) * CARD;
    const ofRows = sets * (capacity / 8) + capacity * (WORD + CARD * CODE_BYTES) + gathered * CODE_BYTES;
    const ofCodes = CODES * (2 * WORD + VALUE_BYTES + 1);
    const bytes = ofRows + ofCodes + (BLOCK + PICKED + 2 * OVERRUN) * WORD;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    this.#buffer = memory.buffer;
    this.#kernel = openKernel(memory);
    this.#same = this.#take(BLOCK);
    const listed = capacity + 2 * OVERRUN;
    this.#list = new Uint32Array(this.#buffer, this.#takeBytes(listed * WORD), listed);
    this.cards = this.#takeShorts(capacity * CARD);
    this.#gathered = this.#takeShorts(gathered);
    this.#counts = new Uint32Array(this.#buffer, this.#takeBytes(2 * CODES * WORD), CODES);
    this.#least = this.#takeValues(CODES);
    this.#isAsked = new Uint8Array(this.#buffer, this.#takeBytes(CODES), CODES);
    this.#picked = new Uint32Array(this.#buffer, this.#takeBytes(PICKED * WORD), PICKED);
  }

  /** An empty set, or a copy of one with room for more rows. */
  take(copied?: Bits): Bits {
    const bits = this.#take(this.words);
    if (copied) bits.set(copied);
    return bits;
  }

  /** Leaves the rows that are in `within`. @returns whether any is left */
  keep(found: Bits, within: Bits, from = 0, to = this.words): boolean {
    return this.#kernel.keep(found.byteOffset, within.byteOffset, from * WORD, to * WORD) !== 0;
  }

  /** Takes out the rows that are in `without`. @returns whether any is left */
  drop(found: Bits, without: Bits, from = 0, to = this.words): boolean {
    return this.#kernel.drop(found.byteOffset, without.byteOffset, from * WORD, to * WORD) !== 0;
  }

  /** Adds the rows of another set. */
  add(rows: Bits, more: Bits, from = 0, to = this.words): void {
    this.#kernel.add(rows.byteOffset, more.byteOffset, from * WORD, to * WORD);
  }

  /** Adds the rows of another set that are in one part of it. */
  addPart(rows: Bits, { set, digits, part }: Part, from = 0, to = this.words): void {
    const more = [set.byteOffset, digits.byteOffset, digits.byteLength, part] as const;
    this.#kernel.addPart(rows.byteOffset, ...more, from * WORD, to * WORD);
  }

  /**
   * From sets of rows that meet one filter each makes sets of rows that meet all but that one.
   * @param live the rows that there are; `found` becomes those that meet all
   * @param met sets that were taken one after the other
   */
  spareEach(live: Bits, found: Bits, met: readonly Bits[], from: number, to: number): void {
    const [first] = met;
    const args = [first?.byteOffset ?? 0, found.byteLength, met.length, from * WORD, to * WORD] as const;
    this.#kernel.spareEach(live.byteOffset, found.byteOffset, ...args);
  }

  /**
   * The rows of a set one by one, ascending, until others are listed.
   * @param behind leaves so many rows that were listed before as they are
   */
  list(rows: Bits, behind = 0): Uint32Array {
    const from = behind === 0 ? 0 : behind + OVERRUN;
    const into = this.#list.byteOffset + from * WORD;
    return this.#list.subarray(from, from + this.#kernel.list(rows.byteOffset, into, rows.byteLength));
  }

  /** A number of every row, NaN, or a copy with room for more rows. */
  takeValues(copied?: Float64Array): Float64Array {
    const values = this.#takeValues(this.words << 5).fill(Number.NaN);
    if (copied) values.set(copied);
    return values;
  }

  /** A column of codes, all 0, or a copy with room for more rows. */
  takeCodes(copied?: Uint16Array): Uint16Array {
    const codes = this.#takeShorts(this.words << 5);
    if (copied) codes.set(copied);
    return codes;
  }

  /** The cards of the listed rows one after the other, until others are gathered; null where that are too many for it. */
  gather(rows: Uint32Array): Uint16Array | null {
    const cards = this.#gathered.subarray(0, rows.length * CARD);
    if (cards.length < rows.length * CARD) return null;
    this.#kernel.gather(rows.byteOffset, rows.length, this.cards.byteOffset, cards.byteOffset);
    return cards;
  }

  /**
   * Changes how many rows there are of each code, by `step` for each of some rows.
   * @param counts by code; others are left out
   */
  tally(rows: SomeRows, codes: Codes, counts: Uint32Array, step: 1 | -1): void {
    const mine = this.#counts.subarray(0, counts.length);
    mine.set(counts);
    this.#kernel.tally(...codesOf(rows.list, codes, rows, 0), mine.byteOffset, mine.length, step);
    counts.set(mine);
  }

  /**
   * The least value of the rows of each code, and how many these are; infinity where there are none.
   * @param values of every row; those of the listed ones are known
   * @param size so many codes are looked at
   */
  lowest(rows: Uint32Array, codes: Codes, values: Float64Array, size: number): Lowest {
    const least = this.#least.subarray(0, size).fill(Number.POSITIVE_INFINITY);
    const counts = this.#counts.subarray(0, size).fill(0);
    const given = [codes.column.byteOffset, values.byteOffset, least.byteOffset, counts.byteOffset] as const;
    this.#kernel.lower(rows.byteOffset, rows.length, ...given);
    return { least: least.slice(), counts: counts.slice() };
  }

  /** Calls back with each of some rows that has one of these codes. */
  pick(rows: SomeRows, codes: Codes, asked: Iterable<number>, take: (row: number) => void): void {
    this.#isAsked.fill(0);
    for (const code of asked) this.#isAsked[code] = 1;
    const said = [this.#isAsked.byteOffset, this.#picked.byteOffset] as const;
    for (let from = 0; from < rows.list.length; from += PICKED - 1) {
      const list = rows.list.subarray(from, from + PICKED - 1);
      const count = this.#kernel.pick(...codesOf(list, codes, rows, from), ...said);
      for (let i = 0; i < count; i += 1) take(list[this.#picked[i] as number] as number);
    }
  }

  count(rows: Bits, from = 0, to = this.words): number {
    return this.#kernel.count(rows.byteOffset, from * WORD, to * WORD);
  }

  /** How many rows are in both. */
  countBoth(a: Bits, b: Bits): number {
    return this.#kernel.countBoth(a.byteOffset, b.byteOffset, 0, this.words * WORD);
  }

  /** Leaves the rows on one side of a bin. @returns whether any is left */
  cut(found: Bits, side: Side, from = 0, to = this.words): boolean {
    let left = false;
    for (let start = from; start < to; start += BLOCK) {
      const end = Math.min(start + BLOCK, to);
      const { before, upTo, digits, part, after, edge } = side;
      const said = this.#kernel.cut(
        found.byteOffset,
        this.#same.byteOffset,
        before.byteOffset,
        upTo.byteOffset,
        digits.byteOffset,
        digits.byteLength,
        part,
        after?.byteOffset ?? 0,
        after ? 1 : 0,
        edge,
        start * WORD,
        end * WORD,
      );
      if (said & 1) left = true;
      if (said & 2 && this.#judge(found, side, start, end)) left = true;
    }
    return left;
  }

  /** Puts those rows of the bin back that match. @returns whether there are any */
  #judge(found: Bits, { values, above, below }: Side, from: number, to: number): boolean {
    let left = false;
    for (let i = from; i < to; i += 1) {
      let word = this.#same[i - from] as number;
      while (word !== 0) {
        const bit = word & -word;
        const value = values[(i << 5) + 31 - Math.clz32(bit)] as number;
        if (value > above && value < below) {
          found[i] = (found[i] as number) | bit;
          left = true;
        }
        word ^= bit;
      }
    }
    return left;
  }

  #take(words: number): Bits {
    return new Int32Array(this.#buffer, this.#takeBytes(words * WORD), words);
  }

  #takeShorts(count: number): Uint16Array {
    return new Uint16Array(this.#buffer, this.#takeBytes(count * CODE_BYTES), count);
  }

  #takeValues(count: number): Float64Array {
    return new Float64Array(this.#buffer, this.#takeBytes(count * VALUE_BYTES), count);
  }

  #takeBytes(bytes: number): number {
    const address = this.#taken;
    this.#taken += bytes;
    return address;
  }
}

/** By code. */
export interface Lowest {
  least: Float64Array;
  counts: Uint32Array;
}

/** Rows one by one, and their cards where those were gathered. */
export interface SomeRows {
  list: Uint32Array;
  cards: Uint16Array | null;
}

/** For the kernel, a part of a list that begins at `from`, and where the codes of its rows are. */
function codesOf(list: Uint32Array, { column, slot }: Codes, { cards }: SomeRows, from: number): CodesOfRows {
  const rows = [list.byteOffset, list.length] as const;
  if (cards === null || slot === null) return [...rows, column.byteOffset, CODE_BYTES, 0];
  return [...rows, cards.byteOffset + (from * CARD + slot) * CODE_BYTES, CARD * CODE_BYTES, 1];
}

/** What becomes of the rows in a bin that a bound falls into. */
export const OUT = 0;
export const IN = 1;
/** Each is looked at. */
export const DOUBTFUL = 2;

/** One of the sixteen parts of a set. */
export interface Part {
  set: Bits;
  /** As in `Side`. */
  digits: Bits;
  part: number;
}

/** One side of a bin of a column. */
export interface Side {
  /** The rows of the coarse bins before the bin's own. */
  before: Bits;
  /** Those and the rows of its own. */
  upTo: Bits;
  /** The first of four sets that follow each other: which part of its coarse bin a row is in, the highest binary digit first. */
  digits: Bits;
  /** The part that the bin is. */
  part: number;
  /** The rows to keep are those after the bin, and have a value; null: those before it. */
  after: Bits | null;
  edge: typeof OUT | typeof IN | typeof DOUBTFUL;
  /** For rows that are looked at: a match is strictly between. */
  values: Float64Array;
  above: number;
  below: number;
}
