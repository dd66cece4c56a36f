import { LRUCache } from "lru-cache";
import type { Rate } from "../../kernel/money";
import type { OfferView } from "../offer-view";
import { presentMarketOffer, presentPriced } from "../presenter";

/** In bytes; about 100,000 offers. */
const MOST_BYTES = 128 * 1024 * 1024;
const PRICES = "\u0000prices";
const DISK_PRICES = "\u0000disk_prices";

/** An offer's answer, cut where the rate comes in. */
interface Written {
  pieces: [before: string, between: string, after: string];
  money: Pick<OfferView, "priceMicro" | "diskPriceMicro" | "gpuAmount">;
  /** By currency, as long as its rate is this. */
  priced: Map<string, { unitsPerUsd: string; prices: string; diskPrices: string }>;
}

/**
 * Offers as they stand in answers of the search, written once. What depends on the currency is spliced in, so a new rate
 * voids no more than that.
 */
export class OfferJson {
  readonly #written = new LRUCache<string, Written>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ pieces }) => 4 * pieces.join("").length,
  });
  readonly #read: (ids: string[]) => Promise<OfferView[]>;
  /** The offers that changed since, of each reading that is under way. */
  readonly #changedMeanwhile = new Set<Set<string>>();
  #generation = 0;

  /** @param read the offers of these ids as they are now, in any order; what is gone is left out */
  constructor(read: (ids: string[]) => Promise<OfferView[]>) {
    this.#read = read;
  }

  /** What was written of an offer is not true any more. */
  forget(id: string): void {
    this.#written.delete(id);
    for (const changed of this.#changedMeanwhile) changed.add(id);
  }

  forgetAll(): void {
    this.#written.clear();
    this.#generation += 1;
  }

  /** The answers of these offers, in their order. */
  async write(ids: readonly string[], rate: Rate): Promise<string[]> {
    const found = new Map<string, Written>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = this.#written.get(id);
      if (known) found.set(id, known);
      else missing.push(id);
    }
    if (missing.length > 0) await this.#load(missing, found);
    return ids.flatMap((id) => {
      const written = found.get(id);
      return written ? [price(written, rate)] : [];
    });
  }

  async #load(ids: string[], found: Map<string, Written>): Promise<void> {
    const changed = new Set<string>();
    const generation = this.#generation;
    this.#changedMeanwhile.add(changed);
    try {
      for (const view of await this.#read(ids)) {
        const written = cut(view);
        found.set(view.id, written);
        if (!changed.has(view.id) && generation === this.#generation) this.#written.set(view.id, written);
      }
    } finally {
      this.#changedMeanwhile.delete(changed);
    }
  }
}

function cut(view: OfferView): Written {
  const shown = presentMarketOffer(view, { currency: "USD", unitsPerUsd: "1" });
  // No text of the database has a zero byte.
  const text = JSON.stringify({ ...shown, prices: PRICES, disk_prices: DISK_PRICES });
  const [before = "", rest = ""] = text.split(JSON.stringify(PRICES));
  const [between = "", after = ""] = rest.split(JSON.stringify(DISK_PRICES));
  const { priceMicro, diskPriceMicro, gpuAmount } = view;
  return {
    pieces: [before, between, after],
    money: { priceMicro, diskPriceMicro, gpuAmount },
    priced: new Map(),
  };
}

function price({ pieces, money, priced }: Written, rate: Rate): string {
  let shown = priced.get(rate.currency);
  if (shown?.unitsPerUsd !== rate.unitsPerUsd) {
    const { prices, disk_prices } = presentPriced(money, rate);
    const { unitsPerUsd } = rate;
    shown = { unitsPerUsd, prices: JSON.stringify(prices), diskPrices: JSON.stringify(disk_prices) };
    priced.set(rate.currency, shown);
  }
  const [before, between, after] = pieces;
  return before + shown.prices + between + shown.diskPrices + after;
}
