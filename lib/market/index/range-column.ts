import type { FilterName } from "../../contract/words";
import { type Bits, type BitsPair, clearBit, growBits, setBit } from "./bits";
import { always, noneOf, type Term } from "./term";

/** The bin of an unknown value. */
export const UNKNOWN_BIN = 255;

/**
 * A numeric fact of every row. Its values are cut into bins at `edges`, each bin about as full as the others, or a value
 * each where there are few. For each bin there is the set of rows up to it, so that a bound is one set and at most one bin
 * has to be looked at row by row; the least and the most that a bin has held (a zone map) often say that not even that.
 */
export class RangeColumn {
  /** NaN: unknown, which meets no bound. */
  values: Float64Array;
  /** Of each row; 255: unknown. */
  bins: Uint8Array;
  /** Where each bin but the first begins, ascending. */
  edges: Float64Array<ArrayBufferLike> = new Float64Array(0);
  /** Of each bin, the rows whose value is in it or in one below. */
  #upTo: Bits[];
  #least: Float64Array<ArrayBufferLike>;
  #most: Float64Array<ArrayBufferLike>;

  readonly #mostBins: number;

  /** @param mostBins more distinct values than this share bins */
  constructor(capacity: number, mostBins: number) {
    this.#mostBins = mostBins;
    this.values = new Float64Array(capacity).fill(Number.NaN);
    this.bins = new Uint8Array(capacity).fill(UNKNOWN_BIN);
    this.#upTo = [new Int32Array(capacity >>> 5)];
    this.#least = Float64Array.of(Number.POSITIVE_INFINITY);
    this.#most = Float64Array.of(Number.NEGATIVE_INFINITY);
  }

  grow(capacity: number): void {
    const { values, bins } = this;
    this.values = new Float64Array(capacity).fill(Number.NaN);
    this.values.set(values);
    this.bins = new Uint8Array(capacity).fill(UNKNOWN_BIN);
    this.bins.set(bins);
    this.#upTo = this.#upTo.map((bits) => growBits(bits, capacity >>> 5));
  }

  get binCount(): number {
    return this.#upTo.length;
  }

  set(row: number, value: number): void {
    const before = this.#rankOf(this.bins[row] as number);
    const bin = Number.isNaN(value) ? UNKNOWN_BIN : countAtMost(this.edges, value);
    const after = this.#rankOf(bin);
    for (let b = after; b < before; b += 1) setBit(this.#upTo[b] as Bits, row);
    for (let b = before; b < after; b += 1) clearBit(this.#upTo[b] as Bits, row);
    this.values[row] = value;
    this.bins[row] = bin;
    if (bin === UNKNOWN_BIN) return;
    if (value < (this.#least[bin] as number)) this.#least[bin] = value;
    if (value > (this.#most[bin] as number)) this.#most[bin] = value;
  }

  /** Cuts the bins anew for the values that these rows have. */
  rebin(rows: Uint32Array): void {
    const known = Float64Array.from(rows, (row) => this.values[row] as number)
      .filter((value) => !Number.isNaN(value))
      .sort();
    const edges = [...new Set(cutAt(known, this.#mostBins))].filter((edge) => edge > (known[0] as number));
    this.edges = Float64Array.from(edges).sort();
    const bins = this.edges.length + 1;
    const words = this.values.length >>> 5;
    this.#upTo = Array.from({ length: bins }, () => new Int32Array(words));
    this.#least = new Float64Array(bins).fill(Number.POSITIVE_INFINITY);
    this.#most = new Float64Array(bins).fill(Number.NEGATIVE_INFINITY);
    for (let row = 0; row < this.values.length; row += 1) {
      const value = this.values[row] as number;
      if (Number.isNaN(value)) continue;
      const bin = countAtMost(this.edges, value);
      this.bins[row] = bin;
      setBit(this.#upTo[bin] as Bits, row);
      if (value < (this.#least[bin] as number)) this.#least[bin] = value;
      if (value > (this.#most[bin] as number)) this.#most[bin] = value;
    }
    for (let bin = 1; bin < bins; bin += 1) {
      const [below, here] = [this.#upTo[bin - 1] as Bits, this.#upTo[bin] as Bits];
      for (let i = 0; i < words; i += 1) here[i] = (here[i] as number) | (below[i] as number);
    }
  }

  /** The rows of a bin. */
  inBin(bin: number): BitsPair {
    return { in: this.#upTo[bin] as Bits, but: bin === 0 ? null : (this.#upTo[bin - 1] as Bits) };
  }

  /** The rows with a value. */
  get known(): Bits {
    return this.#upTo.at(-1) as Bits;
  }

  /** What a bin has held at least and at most; the wrong way round where it never held anything. */
  boundsOf(bin: number): [least: number, most: number] {
    return [this.#least[bin] as number, this.#most[bin] as number];
  }

  /** Whether a bin has one value alone, or has always been empty. */
  isUniform(bin: number): boolean {
    return (this.#least[bin] as number) >= (this.#most[bin] as number);
  }

  /** Strictly more than `above` and less than `below`; null: no bound. */
  between(filter: FilterName, above: number | null, below: number | null): Term {
    const doubtful: BitsPair[] = [];
    let low = 0;
    if (above !== null) {
      low = countAtMost(this.edges, above);
      if ((this.#most[low] as number) <= above) low += 1;
      else if ((this.#least[low] as number) <= above) doubtful.push(this.inBin(low));
    }
    let high = this.binCount - 1;
    if (below !== null) {
      high = countAtMost(this.edges, below);
      if ((this.#least[high] as number) >= below) high -= 1;
      else if ((this.#most[high] as number) >= below) doubtful.push(this.inBin(high));
    }
    if (low > high) return noneOf(filter);
    return {
      filter,
      any: [this.#upTo[high] as Bits],
      but: low === 0 ? null : (this.#upTo[low - 1] as Bits),
      doubtful,
      judge: {
        values: this.values,
        above: above ?? Number.NEGATIVE_INFINITY,
        below: below ?? Number.POSITIVE_INFINITY,
      },
    };
  }

  equalTo(filter: FilterName, wanted: number): Term {
    const bin = countAtMost(this.edges, wanted);
    const [least, most] = [this.#least[bin] as number, this.#most[bin] as number];
    if (wanted < least || wanted > most) return noneOf(filter);
    const rows = this.inBin(bin);
    const { values } = this;
    return {
      filter,
      any: [rows.in],
      but: rows.but,
      doubtful: least === most ? [] : [rows],
      judge: least === most ? always : { matches: (row) => values[row] === wanted },
    };
  }

  /** A row with an unknown value is in none of the sets, as if its bin were behind the last. */
  #rankOf(bin: number): number {
    return bin === UNKNOWN_BIN ? this.#upTo.length : bin;
  }
}

/** How many of the ascending numbers are at most `value`. */
export function countAtMost(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Each value but the first where there are few; else what cuts the values into equal parts. */
function cutAt(sorted: Float64Array, most: number): number[] {
  const distinct: number[] = [];
  for (const value of sorted) {
    if (value !== distinct.at(-1)) distinct.push(value);
    if (distinct.length > most) break;
  }
  if (distinct.length <= most) return distinct.slice(1);
  return Array.from(
    { length: most - 1 },
    (_, i) => sorted[Math.floor(((i + 1) / most) * sorted.length)] as number,
  );
}
