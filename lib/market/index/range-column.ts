import type { FilterName } from "../../contract/words";
import { type Bits, clearBit, setBit } from "./bits";
import { Codes, UNKNOWN } from "./codes";
import { Digits, PARTS } from "./digits";
import type { FoundRows } from "./found-rows";
import { DOUBTFUL, IN, OUT, type RowSpace, type Side } from "./row-space";
import { noneOf, type Term, termOfSet } from "./term";

const COARSE = 32;
const SLICES = 16;

/**
 * A numeric fact of every row. Its values are cut into bins at `edges`: a bin a value where there are at most 512 of them,
 * else 512, each about as full as the others. Sixteen bins make a coarse one, of which there is the set of all rows before it; which of the sixteen a row
 * is in is told by four sets, one a binary digit. So a bound is six sets at most, and at most one bin is looked at row by
 * row; what a bin has held at least and at most (a zone map) often spares that. Up to 32 values need no digits.
 *
 * To count values, a bin of several of them is cut in the same way into up to sixteen slices, which have no sets; the slice of each row is known.
 */
export class RangeColumn {
  /** How many sets a column takes. */
  static readonly SETS = COARSE + 1 + Digits.SETS + Codes.SETS + 8 * Float64Array.BYTES_PER_ELEMENT;

  /** NaN: unknown, which meets no bound. */
  values: Float64Array;
  /** Of each row; 65,535: unknown. */
  slices: Codes;
  /** How many rows each slice has. */
  #totals = new Uint32Array(1);
  /** Where each bin but the first begins, ascending. */
  #edges = new Float64Array(0);
  /** Slices in a bin: 1 or 16. */
  #cuts = 1;
  /** Of each bin, where each of its slices but the first begins, ascending; infinity for those that there are not. */
  #sliceEdges = new Float64Array(0);
  /** Bins in a coarse one: 1 or 16. */
  #parts = 1;
  #coarse = 1;
  /** Of each coarse bin and of an end behind the last, the rows in those before it. */
  #before: Bits[];
  #digits: Digits;
  /** Of each slice. */
  #least = Float64Array.of(Number.POSITIVE_INFINITY);
  #most = Float64Array.of(Number.NEGATIVE_INFINITY);
  #space: RowSpace;

  /** @param slot its place on the cards of rows */
  constructor(space: RowSpace, slot: number | null = null) {
    this.#space = space;
    this.values = space.takeValues();
    this.slices = new Codes(space, slot);
    this.slices.column.fill(UNKNOWN);
    this.#before = Array.from({ length: COARSE + 1 }, () => space.take());
    this.#digits = new Digits(space);
  }

  grow(space: RowSpace): void {
    const { values, slices } = this;
    this.#space = space;
    this.values = space.takeValues(values);
    this.slices = new Codes(space, slices.slot, slices);
    this.slices.column.fill(UNKNOWN, values.length);
    this.#before = this.#before.map((bits) => space.take(bits));
    this.#digits = new Digits(space, this.#digits);
  }

  get binCount(): number {
    return this.#edges.length + 1;
  }

  set(row: number, value: number): void {
    const slice = Number.isNaN(value) ? UNKNOWN : this.sliceOf(value);
    this.#move(row, slice);
    this.values[row] = value;
    if (slice !== UNKNOWN) this.#widen(slice, value);
  }

  /** Cuts the bins anew for the values that these rows have. */
  rebin(rows: Uint32Array): void {
    const known = Float64Array.from(rows, (row) => this.values[row] as number)
      .filter((value) => !Number.isNaN(value))
      .sort();
    this.#edges = cutAt(known, COARSE * PARTS);
    const bins = this.binCount;
    this.#cutSlices(known);
    this.#parts = bins <= COARSE ? 1 : PARTS;
    this.#coarse = Math.ceil(bins / this.#parts);
    for (const bits of this.#before) bits.fill(0);
    this.#digits.clear();
    const slices = bins * this.#cuts;
    this.#least = new Float64Array(slices).fill(Number.POSITIVE_INFINITY);
    this.#most = new Float64Array(slices).fill(Number.NEGATIVE_INFINITY);
    this.#totals = new Uint32Array(slices);
    for (let row = 0; row < this.values.length; row += 1) {
      const value = this.values[row] as number;
      const slice = Number.isNaN(value) ? UNKNOWN : this.sliceOf(value);
      this.slices.set(row, slice);
      if (slice === UNKNOWN) continue;
      const bin = this.#binOf(slice);
      this.#totals[slice] = (this.#totals[slice] as number) + 1;
      // Of the coarse bins' sets only the next one now; the others follow below, a word at a time.
      setBit(this.#before[Math.floor(bin / this.#parts) + 1] as Bits, row);
      if (this.#parts > 1) this.#digits.set(row, bin % PARTS);
      this.#widen(slice, value);
    }
    for (let i = 1; i <= this.#coarse; i += 1) {
      this.#space.add(this.#before[i] as Bits, this.#before[i - 1] as Bits);
    }
  }

  /** How many of the rows each slice has. */
  tally(found: FoundRows): Uint32Array {
    return found.tally(this.slices, this.#totals);
  }

  /** The slice that a value falls into; those of a bin follow each other. */
  sliceOf(value: number): number {
    const bin = countAtMost(this.#edges, value);
    if (this.#cuts === 1) return bin;
    const first = bin * (SLICES - 1);
    return bin * SLICES + countAtMost(this.#sliceEdges, value, first, first + SLICES - 1) - first;
  }

  /** What a slice has held at least and at most; the wrong way round where it never held anything. */
  boundsOfSlice(slice: number): [least: number, most: number] {
    return [this.#least[slice] as number, this.#most[slice] as number];
  }

  /** The bin of a row; -1 where its value is unknown. */
  binAt(row: number): number {
    const slice = this.slices.column[row] as number;
    return slice === UNKNOWN ? -1 : this.#binOf(slice);
  }

  /** The rows with a value. */
  get known(): Bits {
    return this.#before[this.#coarse] as Bits;
  }

  /** Whether a bin has one value alone, or has always been empty. */
  isUniform(bin: number): boolean {
    const [least, most] = this.#boundsOf(bin);
    return least >= most;
  }

  /** Leaves the rows from one bin to another, both included, in a set. */
  keepBins(rows: Bits, first: number, last: number): void {
    this.#space.cut(rows, this.#sideOf(last, null, IN));
    if (first > 0) this.#space.cut(rows, this.#sideOf(first, this.known, IN));
  }

  /** Strictly more than `above` and less than `below`; null: no bound. */
  between(filter: FilterName, above: number | null, below: number | null): Term {
    const sides: Side[] = [];
    const bounds = { above: above ?? Number.NEGATIVE_INFINITY, below: below ?? Number.POSITIVE_INFINITY };
    if (above !== null) {
      const bin = countAtMost(this.#edges, above);
      const [least, most] = this.#boundsOf(bin);
      const edge = most <= above ? OUT : least > above ? IN : DOUBTFUL;
      sides.push({ ...this.#sideOf(bin, this.known, edge), ...bounds });
    }
    if (below !== null) {
      const bin = countAtMost(this.#edges, below);
      const [least, most] = this.#boundsOf(bin);
      const edge = least >= below ? OUT : most < below ? IN : DOUBTFUL;
      sides.push({ ...this.#sideOf(bin, null, edge), ...bounds });
    }
    const space = this.#space;
    if (this.#parts === 1 && sides.every(({ edge }) => edge !== DOUBTFUL)) {
      return termOfSides(space, filter, sides);
    }
    return {
      filter,
      cost: 6 * sides.length,
      narrow: (found, from, to) => sides.every((side) => space.cut(found, side, from, to)),
    };
  }

  /** @param wanted a whole number, as all values are */
  equalTo(filter: FilterName, wanted: number): Term {
    return Number.isInteger(wanted) ? this.between(filter, wanted - 1, wanted + 1) : noneOf(filter);
  }

  #sideOf(bin: number, after: Bits | null, edge: Side["edge"]): Side {
    const coarse = Math.floor(bin / this.#parts);
    return {
      before: this.#before[coarse] as Bits,
      upTo: this.#before[coarse + 1] as Bits,
      digits: this.#digits.first,
      part: bin % this.#parts,
      after,
      edge,
      values: this.values,
      above: Number.NEGATIVE_INFINITY,
      below: Number.POSITIVE_INFINITY,
    };
  }

  #binOf(slice: number): number {
    return Math.floor(slice / this.#cuts);
  }

  #boundsOf(bin: number): [least: number, most: number] {
    const slices = [bin * this.#cuts, (bin + 1) * this.#cuts] as const;
    return [Math.min(...this.#least.subarray(...slices)), Math.max(...this.#most.subarray(...slices))];
  }

  /** Cuts the bins of several values into slices. */
  #cutSlices(known: Float64Array): void {
    const edges = new Float64Array(this.binCount * (SLICES - 1)).fill(Number.POSITIVE_INFINITY);
    let [from, isCut] = [0, false];
    for (let bin = 0; bin < this.binCount; bin += 1) {
      const end = this.#edges[bin] ?? Number.POSITIVE_INFINITY;
      let to = from;
      while (to < known.length && (known[to] as number) < end) to += 1;
      const inside = cutAt(known.subarray(from, to), SLICES);
      edges.set(inside, bin * (SLICES - 1));
      if (inside.length > 0) isCut = true;
      from = to;
    }
    this.#cuts = isCut ? SLICES : 1;
    this.#sliceEdges = edges;
  }

  #move(row: number, slice: number): void {
    const before = this.slices.column[row] as number;
    const [from, to] = [this.#coarseOf(before), this.#coarseOf(slice)];
    for (let i = to + 1; i <= from; i += 1) setBit(this.#before[i] as Bits, row);
    for (let i = from + 1; i <= to; i += 1) clearBit(this.#before[i] as Bits, row);
    this.slices.set(row, slice);
    if (before !== UNKNOWN) this.#totals[before] = (this.#totals[before] as number) - 1;
    if (slice === UNKNOWN) return;
    this.#totals[slice] = (this.#totals[slice] as number) + 1;
    if (this.#parts > 1) this.#digits.set(row, this.#binOf(slice) % PARTS);
  }

  /** A row with an unknown value is in none of the sets, as if its bin were behind the last. */
  #coarseOf(slice: number): number {
    return slice === UNKNOWN ? this.#coarse : Math.floor(this.#binOf(slice) / this.#parts);
  }

  #widen(slice: number, value: number): void {
    if (value < (this.#least[slice] as number)) this.#least[slice] = value;
    if (value > (this.#most[slice] as number)) this.#most[slice] = value;
  }
}

/** Bounds that fall between two coarse bins. */
function termOfSides(space: RowSpace, filter: FilterName, sides: Side[]): Term {
  const first = sides.find(({ after }) => after !== null);
  const last = sides.find(({ after }) => after === null);
  const but = first ? (first.edge === IN ? first.before : first.upTo) : null;
  const within = last ? (last.edge === IN ? last.upTo : last.before) : first?.after;
  return within ? termOfSet(space, filter, within, but) : noneOf(filter);
}

/** The place behind the last of the ascending numbers, from one place to another, that is at most `value`. */
export function countAtMost(
  ascending: Float64Array | Uint32Array,
  value: number,
  from = 0,
  to = ascending.length,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Each value but the first where there are few; else what cuts the values into equal parts. Ascending. */
function cutAt(sorted: Float64Array, most: number): Float64Array<ArrayBuffer> {
  const distinct: number[] = [];
  for (const value of sorted) {
    if (value !== distinct.at(-1)) distinct.push(value);
    if (distinct.length > most) break;
  }
  if (distinct.length <= most) return Float64Array.from(distinct.slice(1));
  const cuts = Array.from(
    { length: most - 1 },
    (_, i) => sorted[Math.floor(((i + 1) / most) * sorted.length)] as number,
  );
  return Float64Array.from(new Set(cuts.filter((cut) => cut > (sorted[0] as number))));
}
