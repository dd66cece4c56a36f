import type { OfferIds } from "./offer-ids";

/** Below this many a bounded heap beats sorting all. */
const HEAP_MOST = 1_024;

/** The order of a page: by a value, unknown ones last in both directions, and rows of the same value by id. */
export class RowOrder {
  readonly #values: Float64Array;
  /** Of each row the first letters of its id as a number, which tell most apart. */
  readonly #heads: Float64Array;
  readonly #ids: OfferIds;
  readonly #sign: 1 | -1;

  constructor(values: Float64Array, heads: Float64Array, ids: OfferIds, descending: boolean) {
    this.#values = values;
    this.#heads = heads;
    this.#ids = ids;
    this.#sign = descending ? -1 : 1;
  }

  compare(a: number, b: number): number {
    const [x, y] = [this.#values[a] as number, this.#values[b] as number];
    if (x < y) return -this.#sign;
    if (x > y) return this.#sign;
    if (x !== y && Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return (this.#heads[a] as number) - (this.#heads[b] as number) || this.#ids.compare(a, b);
  }

  /** Of these rows in order those `from` to `to`; the order of `rows` itself is lost. */
  take(rows: Uint32Array, from: number, to: number): number[] {
    const { length } = rows;
    const wanted = Math.min(length, to);
    const compare = (a: number, b: number) => this.compare(a, b);
    if (wanted > HEAP_MOST || wanted * 4 > length) {
      return Array.from(rows).sort(compare).slice(from, wanted);
    }
    // The heap is the head of `rows` itself, the last in order at its root.
    for (let i = (wanted >>> 1) - 1; i >= 0; i -= 1) this.#sink(rows, i, wanted);
    for (let i = wanted; i < length; i += 1) {
      const row = rows[i] as number;
      if (this.compare(row, rows[0] as number) >= 0) continue;
      rows[0] = row;
      this.#sink(rows, 0, wanted);
    }
    return Array.from(rows.subarray(0, wanted)).sort(compare).slice(from);
  }

  #sink(heap: Uint32Array, start: number, length: number): void {
    const moved = heap[start] as number;
    let hole = start;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= length) break;
      if (child + 1 < length && this.compare(heap[child + 1] as number, heap[child] as number) > 0)
        child += 1;
      if (this.compare(heap[child] as number, moved) <= 0) break;
      heap[hole] = heap[child] as number;
      hole = child;
    }
    heap[hole] = moved;
  }
}
