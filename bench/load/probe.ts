import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { z } from "zod";

const MARK = "bench probe";
const EVERY_MS = 500;
const LOOK_EVERY_MS = 2;
const LONGEST_MS = 10_000;
const FIRST_PRICE = 7_000_000;

const answer = z.object({ data: z.array(z.object({ prices: z.array(z.object({ price: z.number() })) })) });

/** One offer that a search finds alone, and how long after its reprice that search says so. */
export class Probe {
  readonly #client: pg.Client;
  readonly #search: (body: string) => Promise<string>;
  #price = FIRST_PRICE;

  constructor(client: pg.Client, search: (body: string) => Promise<string>) {
    this.#client = client;
    this.#search = search;
  }

  async mark(): Promise<void> {
    await this.#client.query(
      "UPDATE offer SET cpu_name = $1 WHERE id = (SELECT min(id) FROM offer WHERE price_micro IS NOT NULL AND live)",
      [MARK],
    );
  }

  /** @returns milliseconds from each commit to the first answer that shows the new price */
  async watchUntil(ended: AbortSignal): Promise<number[]> {
    const taken: number[] = [];
    while (!ended.aborted) {
      taken.push(await this.#repriceAndWait());
      await sleep(EVERY_MS);
    }
    return taken;
  }

  async #repriceAndWait(): Promise<number> {
    this.#price += 1;
    await this.#client.query("UPDATE offer SET price_micro = $1, updated_at = now() WHERE cpu_name = $2", [
      this.#price,
      MARK,
    ]);
    const committed = performance.now();
    while ((await this.#shownPrice()) !== this.#price / 1e6) {
      if (performance.now() - committed > LONGEST_MS) throw new Error("a new price was never shown");
      await sleep(LOOK_EVERY_MS);
    }
    return performance.now() - committed;
  }

  async #shownPrice(): Promise<number | undefined> {
    const text = await this.#search(JSON.stringify({ query: { cpu_name: MARK } }));
    return answer.parse(JSON.parse(text)).data[0]?.prices[0]?.price;
  }
}
