const NS_A_SECOND = 1_000_000_000n;
/** An engine writes two streams not quite in the order of their times. */
const KEPT_SECONDS = 3;

/**
 * Knows which pieces of a log were read, so that reading it again from a little earlier neither loses nor repeats one. It
 * counts them by second: engines filter by whole seconds, and Podman 4 gives no finer time.
 */
export class ReplayCursor {
  #newest = 0;
  readonly #read = new Map<number, number>();
  #repeated = new Map<number, number>();

  /** The log was read up to here, by whoever: unix nanoseconds. */
  constructor(afterNs: bigint | null) {
    if (afterNs !== null) this.#newest = Number(afterNs / NS_A_SECOND);
  }

  get newestMs(): number {
    return this.#newest * 1000;
  }

  /** From when to read again, in unix seconds; null for the whole log. What was read since then comes again. */
  rewind(): number | null {
    if (this.#newest === 0) return null;
    this.#repeated = new Map(this.#read);
    return this.#newest - KEPT_SECONDS + 1;
  }

  /** Whether this piece is a new one. */
  isNew(atNs: bigint): boolean {
    const second = Number(atNs / NS_A_SECOND);
    const repeats = this.#repeated.get(second) ?? 0;
    if (repeats > 0) {
      this.#repeated.set(second, repeats - 1);
      return false;
    }
    this.#read.set(second, (this.#read.get(second) ?? 0) + 1);
    if (second > this.#newest) {
      this.#newest = second;
      for (const old of this.#read.keys()) if (old <= second - KEPT_SECONDS) this.#read.delete(old);
    }
    return true;
  }
}
