import { LRUCache } from "lru-cache";
import type { Rate } from "../../kernel/money";
import type { OfferView } from "../offer-view";
import { presentMarketOffer, presentPriced } from "../presenter";

/** In bytes; about 20,000 offers. */
const MOST_BYTES = 128 * 1024 * 1024;
const PRICES = "\u0000prices";
const DISK_PRICES = "\u0000disk_prices";
const COMMA = 44;

/** An offer's answer, cut where the rate comes in. */
interface Written {
  pieces: [before: string, between: string, after: string];
  money: Pick<OfferView, "priceMicro" | "diskPriceMicro" | "gpuAmount">;
  /** All of it by currency, as long as its rate is this. */
  priced: Map<string, { unitsPerUsd: string; bytes: Buffer }>;
}

/**
 * Offers as they stand in answers of the search, written once. What depends on the currency is spliced in, so a new rate
 * voids no more than that.
 */
export class OfferJson {
  readonly #written = new LRUCache<string, Written>({
    maxSize: MOST_BYTES,
    // The pieces, with two bytes a letter where one is not of Western Europe, and the bytes in three currencies.
    sizeCalculation: ({ pieces }) => 5 * pieces.join("").length,
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

  /** The answer of a search: these offers, in their order, and how many there are in all. */
  async writePage(ids: readonly string[], total: number, rate: Rate): Promise<Buffer> {
    const found = ids.map((id) => this.#written.get(id));
    const missing = ids.filter((_, i) => found[i] === undefined);
    const read = missing.length > 0 ? await this.#load(missing) : null;
    const offers = ids.flatMap((id, i) => {
      const written = found[i] ?? read?.get(id);
      return written ? [price(written, rate)] : [];
    });
    return joinPage(offers, total);
  }

  async #load(ids: string[]): Promise<Map<string, Written>> {
    const found = new Map<string, Written>();
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
    return found;
  }
}

function joinPage(offers: readonly Buffer[], total: number): Buffer {
  const head = '{"ok":true,"data":[';
  const tail = `],"total_items":${total}}`;
  const inside = offers.reduce((sum, { length }) => sum + length + 1, 0);
  const page = Buffer.allocUnsafe(head.length + Math.max(0, inside - 1) + tail.length);
  let end = page.write(head, 0, "latin1");
  for (let i = 0; i < offers.length; i += 1) {
    if (i > 0) page[end++] = COMMA;
    const offer = offers[i] as Buffer;
    page.set(offer, end);
    end += offer.length;
  }
  page.write(tail, end, "latin1");
  return page;
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

function price({ pieces, money, priced }: Written, rate: Rate): Buffer {
  const { currency, unitsPerUsd } = rate;
  const known = priced.get(currency);
  if (known?.unitsPerUsd === unitsPerUsd) return known.bytes;
  const { prices, disk_prices } = presentPriced(money, rate);
  const [before, between, after] = pieces;
  const bytes = Buffer.from(before + JSON.stringify(prices) + between + JSON.stringify(disk_prices) + after);
  priced.set(currency, { unitsPerUsd, bytes });
  return bytes;
}
