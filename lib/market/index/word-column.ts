import { type Bits, type BitsPair, clearBit, growBits, setBit } from "./bits";

/** The code of no word. */
export const NO_WORD = 0;
/** Of the sets, this part belongs to one word each; the words beyond share the others. */
const OWN_PART = 0.75;

/**
 * A fact of every row that is one of some words, each under a code. A frequent word has a set of rows of its own; rarer ones share a set, in
 * which the rows have to be looked at.
 */
export class WordColumn {
  /** Of each row; 0: none. */
  codes: Uint32Array;
  /** By code. */
  readonly words: string[] = [""];
  readonly #codeOf = new Map<string, number>();
  /** Of each code, its set. */
  #setOf: number[] = [-1];
  #sets: Bits[];
  readonly #own: number;

  constructor(capacity: number, sets: number) {
    this.codes = new Uint32Array(capacity);
    this.#sets = Array.from({ length: sets }, () => new Int32Array(capacity >>> 5));
    this.#own = Math.floor(sets * OWN_PART);
  }

  grow(capacity: number): void {
    const { codes } = this;
    this.codes = new Uint32Array(capacity);
    this.codes.set(codes);
    this.#sets = this.#sets.map((bits) => growBits(bits, capacity >>> 5));
  }

  set(row: number, word: string | null): void {
    const before = this.codes[row] as number;
    const after = word === null ? NO_WORD : this.#learn(word);
    if (before === after) return;
    if (before !== NO_WORD) clearBit(this.#bitsOf(before), row);
    if (after !== NO_WORD) setBit(this.#bitsOf(after), row);
    this.codes[row] = after;
  }

  /** Gives the words of most rows a set each. */
  reorder(): void {
    const counts = new Float64Array(this.words.length);
    for (const code of this.codes) counts[code] = (counts[code] as number) + 1;
    const order = this.words
      .map((_, code) => code)
      .slice(1)
      .sort((a, b) => (counts[b] as number) - (counts[a] as number));
    for (const [rank, code] of order.entries()) this.#setOf[code] = this.#setOfRank(rank);
    for (const bits of this.#sets) bits.fill(0);
    for (let row = 0; row < this.codes.length; row += 1) {
      const code = this.codes[row] as number;
      if (code !== NO_WORD) setBit(this.#bitsOf(code), row);
    }
  }

  codeOf(word: string): number | undefined {
    return this.#codeOf.get(word);
  }

  /** Sets that hold all rows of these codes; in those that are doubtful other rows lie too. */
  rowsOf(codes: Iterable<number>): { any: Bits[]; doubtful: BitsPair[] } {
    const sets = new Set<number>();
    for (const code of codes) sets.add(this.#setOf[code] as number);
    const any = [...sets].map((set) => this.#sets[set] as Bits);
    const doubtful = [...sets]
      .filter((set) => set >= this.#own)
      .map((set) => ({ in: this.#sets[set] as Bits, but: null }));
    return { any, doubtful };
  }

  #learn(word: string): number {
    const known = this.#codeOf.get(word);
    if (known !== undefined) return known;
    const code = this.words.length;
    this.words.push(word);
    this.#codeOf.set(word, code);
    this.#setOf.push(this.#setOfRank(code - 1));
    return code;
  }

  #setOfRank(rank: number): number {
    if (rank < this.#own) return rank;
    return this.#own + ((rank - this.#own) % (this.#sets.length - this.#own));
  }

  #bitsOf(code: number): Bits {
    return this.#sets[this.#setOf[code] as number] as Bits;
  }
}
