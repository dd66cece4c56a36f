import { LRUCache } from "lru-cache";

/** What was looked up stays known for a while: all who ask within that time of a look-up's beginning share it. A failure is not kept. */
export class Known<V> {
  readonly #asked: LRUCache<string, Promise<V>>;
  readonly #ms: number;
  readonly #keepMs: (found: V) => number;

  /** @param options.keepMs for how long at most what was found is good; 0: it is not kept */
  constructor({ most, ms, keepMs = () => ms }: { most: number; ms: number; keepMs?: (found: V) => number }) {
    this.#asked = new LRUCache({ max: most, ttl: ms });
    this.#ms = ms;
    this.#keepMs = keepMs;
  }

  get(key: string, lookUp: () => Promise<V>): Promise<V> {
    const known = this.#asked.get(key);
    if (known) return known;
    const asking = lookUp();
    this.#asked.set(key, asking);
    const forget = () => {
      if (this.#asked.peek(key) === asking) this.#asked.delete(key);
    };
    asking.then((found) => {
      const ms = this.#keepMs(found);
      if (ms <= 0) forget();
      else if (ms < this.#ms) setTimeout(forget, ms).unref();
    }, forget);
    return asking;
  }

  clear(): void {
    this.#asked.clear();
  }
}
