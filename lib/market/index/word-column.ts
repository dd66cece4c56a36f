import { type Bits, clearBit, setBit } from "./bits";
import { Codes, UNKNOWN } from "./codes";
import { Digits, PARTS } from "./digits";
import type { FoundRows } from "./found-rows";
import type { Lowest, Part, RowSpace } from "./row-space";

/** The code of no word. */
export const NO_WORD = 0;
/** Where words share sets, this part of the sets still belongs to one word each. */
const OWN_PART = 0.75;

/**
 * A fact of every row that is one of some words, each under a code. A word has a set of rows of its own as long as there are sets; then
 * the rarer ones share some. Which of a set's words a row has is told by four more sets, one a binary digit: sixteen words of a set are told
 * apart so. Of more than that some have the same number, and their rows have to be looked at.
 */
export class WordColumn {
  /** Of each row; 0: none. */
  #codes: Codes | Uint32Array;
  /** By code. */
  readonly words: string[] = [""];
  /** How many rows have each, by its code; of no word it is not known. */
  readonly totals: number[] = [0];
  /** By code, the first code whose word differs in the case of its letters at most. */
  readonly alike: number[] = [NO_WORD];
  readonly #codeOf = new Map<string, number>();
  readonly #codeOfLower = new Map<string, number>();
  /** Of each code, its set and which part of it: PARTS a set. */
  #placeOf: number[] = [-1];
  #sets: Bits[];
  #digits: Digits;
  /** How many words each set has, and each place. */
  readonly #wordsIn: Uint32Array;
  readonly #wordsAt: Uint32Array;
  /** The rows with a word. */
  #known: Bits;
  /** Sets from here on are shared. */
  #own: number;

  /** How many sets a column takes that has so many for its words. */
  static setsFor(sets: number): number {
    return sets + Digits.SETS + 1 + Codes.SETS;
  }

  /** @param slot its place on the cards of rows */
  constructor(space: RowSpace, sets: number, slot: number | null = null) {
    this.#codes = new Codes(space, slot);
    this.#sets = Array.from({ length: sets }, () => space.take());
    this.#digits = new Digits(space);
    this.#wordsIn = new Uint32Array(sets);
    this.#wordsAt = new Uint32Array(sets * PARTS);
    this.#known = space.take();
    this.#own = Math.floor(sets * OWN_PART);
  }

  grow(space: RowSpace): void {
    const codes = this.#codes;
    if (codes instanceof Codes) {
      this.#codes = new Codes(space, codes.slot, codes);
    } else {
      this.#codes = new Uint32Array(space.words << 5);
      this.#codes.set(codes);
    }
    this.#sets = this.#sets.map((bits) => space.take(bits));
    this.#digits = new Digits(space, this.#digits);
    this.#known = space.take(this.#known);
  }

  set(row: number, word: string | null): void {
    const before = this.codes[row] as number;
    const after = word === null ? NO_WORD : this.#learn(word);
    if (before === after) return;
    if (before !== NO_WORD) {
      this.totals[before] = (this.totals[before] as number) - 1;
      clearBit(this.#bitsOf(before), row);
    }
    if (after === NO_WORD) clearBit(this.#known, row);
    else {
      this.totals[after] = (this.totals[after] as number) + 1;
      setBit(this.#known, row);
      this.#place(row, after);
    }
    if (this.#codes instanceof Codes) this.#codes.set(row, after);
    else this.#codes[row] = after;
  }

  /** Gives the words of most rows a set each. */
  reorder(): void {
    const order = this.words
      .map((_, code) => code)
      .slice(1)
      .sort((a, b) => (this.totals[b] as number) - (this.totals[a] as number));
    const sets = this.#sets.length;
    this.#own = order.length <= sets ? sets : Math.floor(sets * OWN_PART);
    this.#wordsIn.fill(0);
    this.#wordsAt.fill(0);
    for (const [rank, code] of order.entries()) this.#placeOf[code] = this.#takePlace(rank);
    for (const bits of this.#sets) bits.fill(0);
    const { codes } = this;
    for (let row = 0; row < codes.length; row += 1) {
      const code = codes[row] as number;
      if (code !== NO_WORD) this.#place(row, code);
    }
  }

  /** How many of the rows have each word, by its code; of no word it is not known. */
  tally(found: FoundRows): Uint32Array {
    return found.tally(this.#codes, this.totals);
  }

  /** Of the rows that are in another set too, the least value by code, and how many have it; all these values are known. */
  lowest(found: FoundRows, within: Bits, values: Float64Array): Lowest {
    return found.lowest(within, this.#codes, values, this.words.length);
  }

  /** Of each row; 0: none. */
  get codes(): Uint16Array | Uint32Array {
    return this.#codes instanceof Codes ? this.#codes.column : this.#codes;
  }

  codeOf(word: string): number | undefined {
    return this.#codeOf.get(word);
  }

  /** The rows whose word is among some. */
  rowsOf(wanted: ReadonlySet<number>): WordRows {
    const isWanted = new Uint8Array(this.words.length);
    const wantedIn = new Uint32Array(this.#wordsIn.length);
    const wantedAt = new Uint32Array(this.#wordsAt.length);
    for (const code of wanted) {
      const place = this.#placeOf[code] as number;
      const set = Math.floor(place / PARTS);
      isWanted[code] = 1;
      wantedIn[set] = (wantedIn[set] as number) + 1;
      wantedAt[place] = (wantedAt[place] as number) + 1;
    }
    const rows = { sets: [], parts: [], otherSets: [], otherParts: [], doubtful: [] };
    const found: WordRows = { codes: this.codes, isWanted, known: this.#known, ...rows };
    for (const [i, set] of this.#sets.entries()) {
      const [some, all] = [wantedIn[i], this.#wordsIn[i]];
      if (all === 0) continue;
      if (some === all) found.sets.push(set);
      else if (some === 0) found.otherSets.push(set);
      else this.#addParts(i, wantedAt, found);
    }
    return found;
  }

  /** Of a set of which some words are wanted, each part. */
  #addParts(set: number, wantedAt: Uint32Array, { parts, otherParts, doubtful }: WordRows): void {
    for (let part = 0; part < PARTS; part += 1) {
      const [some, all] = [wantedAt[set * PARTS + part], this.#wordsAt[set * PARTS + part]];
      if (all === 0) continue;
      const kind = some === all ? parts : some === 0 ? otherParts : doubtful;
      kind.push({ set: this.#sets[set] as Bits, digits: this.#digits.first, part });
    }
  }

  #learn(word: string): number {
    const known = this.#codeOf.get(word);
    if (known !== undefined) return known;
    const code = this.words.length;
    if (code === UNKNOWN) this.#codes = Uint32Array.from(this.codes);
    this.words.push(word);
    this.totals.push(0);
    this.#codeOf.set(word, code);
    const lower = word.toLowerCase();
    this.alike.push(this.#codeOfLower.get(lower) ?? code);
    if (this.alike[code] === code) this.#codeOfLower.set(lower, code);
    this.#placeOf.push(this.#takePlace(code - 1));
    return code;
  }

  /** The place of the word that is so many-eth by how often it occurs. */
  #takePlace(rank: number): number {
    const sets = this.#sets.length;
    const shared = Math.max(1, sets - this.#own);
    const among = rank - this.#own;
    const set = among < 0 ? rank : sets - shared + (among % shared);
    const place = set * PARTS + (among < 0 ? 0 : Math.floor(among / shared) % PARTS);
    this.#wordsIn[set] = (this.#wordsIn[set] as number) + 1;
    this.#wordsAt[place] = (this.#wordsAt[place] as number) + 1;
    return place;
  }

  #bitsOf(code: number): Bits {
    return this.#sets[Math.floor((this.#placeOf[code] as number) / PARTS)] as Bits;
  }

  #place(row: number, code: number): void {
    setBit(this.#bitsOf(code), row);
    this.#digits.set(row, (this.#placeOf[code] as number) % PARTS);
  }
}

/** The rows whose word is among some, as sets and parts of sets. */
export interface WordRows {
  codes: Uint16Array | Uint32Array;
  /** By code: 1 or 0. */
  isWanted: Uint8Array;
  /** All rows of these match, … */
  sets: Bits[];
  parts: Part[];
  /** … none of these, … */
  otherSets: Bits[];
  otherParts: Part[];
  /** … and of these some. */
  doubtful: Part[];
  /** The rows with a word. */
  known: Bits;
}
