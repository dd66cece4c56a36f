import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { db } from "../../db/client";
import { listen } from "../../db/listen";
import { offerViewInclude, toOfferView } from "../offer-view";
import type { GpuCounts } from "../presenter";
import type { Facets } from "./index-facets";
import type { OfferFacts } from "./offer-facts";
import { type IndexSearch, OfferIndex } from "./offer-index";
import { OfferJson } from "./offer-json";
import {
  type ReadUpTo,
  readAllOffers,
  readChanges,
  readGpus,
  readManyChanges,
  readProviders,
} from "./offer-rows";

/** A lost hint costs this much. */
const POLL_MS = 400;
/** Between two readings, however many hints come. */
const GAP_MS = 25;
/** How old the names of providers may be. */
const NAMES_MS = 5_000;
/** Answers that are kept until something changes: pages, in bytes, and counts of facets. */
const PAGES_BYTES = 32 * 1024 * 1024;
const MOST_FACETS = 200;
/** A longer search is nobody else's. */
const LONGEST_KEY = 2_000;
/** So many offers are written before others have their turn. */
const AT_ONCE = 250;
/** Without a word from the database for so long, what is in memory is not the truth any more. */
const STALE_MS = 5_000;

// Next bundles its route modules apart from the server around them, and both search the same index.
const shared = globalThis as typeof globalThis & { berthMarket?: LiveIndex };

/** This node's market in memory; null where it has none, or where it may not be the truth just now. */
export function liveMarket(): LiveIndex | null {
  return shared.berthMarket?.isFresh ? shared.berthMarket : null;
}

/** Reads the whole market and follows it from then on. Searches are answered from memory once this returns. */
export async function startLiveMarket(onError: (error: unknown) => void): Promise<{ stop(): Promise<void> }> {
  const live = new LiveIndex(onError);
  await live.start();
  shared.berthMarket = live;
  return {
    async stop() {
      delete shared.berthMarket;
      await live.stop();
    },
  };
}

/** The market in this node's memory, kept as it is in the database. */
class LiveIndex {
  #index = new OfferIndex();
  readonly #json = new OfferJson(async (ids) => {
    const rows = await db().offer.findMany({ where: { id: { in: ids } }, include: offerViewInclude });
    return rows.map(toOfferView);
  });
  readonly #pages = new LRUCache<string, Uint8Array>({
    maxSize: PAGES_BYTES,
    sizeCalculation: ({ length }, key) => length + 2 * key.length,
  });
  readonly #facets = new LRUCache<string, Facets>({ max: MOST_FACETS });
  /** By GPU; null: it has no offer. */
  readonly #gpus = new Map<string, GpuCounts | null>();
  /** Changes with the market. */
  #version = 0;
  #upTo: ReadUpTo = "0";
  #seen: string[] = [];
  /** The database's clock less the one of this process, which nobody sets. */
  #ahead = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #names = "";
  #namesReadAt = Number.NEGATIVE_INFINITY;
  #areNamesOld = false;
  #timer: NodeJS.Timeout | undefined;
  #hinted = false;
  #stopped = false;
  #reading: Promise<void> = Promise.resolve();
  #listener: { stop(): Promise<void> } | undefined;

  /** @param onError a reading failed; the next one is tried all the same */
  constructor(readonly onError: (error: unknown) => void) {}

  async start(): Promise<void> {
    await this.#load();
    await this.catchUp();
    this.#listener = listen("berth_market", "berth search index", () => this.#hint());
    this.#wait(POLL_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#listener?.stop();
    await this.#reading;
  }

  /** Whether what is in memory can be taken for the market. */
  get isFresh(): boolean {
    return performance.now() - this.#readAt < STALE_MS;
  }

  /** The answer to a search. As long as nothing changes in the market it stays the same. */
  async search(search: IndexSearch): Promise<Uint8Array> {
    const now = this.#now();
    const key = JSON.stringify(search);
    const known = this.#pages.get(key);
    if (known) return known;
    const version = this.#version;
    const { ids, total } = this.#index.search(search, now);
    const page = await this.#json.writePage(ids, total, search.rate);
    if (version === this.#version && key.length < LONGEST_KEY) this.#pages.set(key, page);
    return page;
  }

  /** From now on answers are made anew. */
  #outdate(): void {
    this.#version += 1;
    this.#pages.clear();
    this.#facets.clear();
    this.#gpus.clear();
  }

  /** How many offers each filter would leave; like a page, the same until something changes. */
  countFacets({ filters, rate }: Pick<IndexSearch, "filters" | "rate">): Facets {
    const now = this.#now();
    const key = JSON.stringify({ filters, rate });
    const known = this.#facets.get(key);
    if (known) return known;
    const facets = this.#index.countFacets({ filters, rate }, now);
    if (key.length < LONGEST_KEY) this.#facets.set(key, facets);
    return facets;
  }

  /** How many offers there are of each of these GPUs, and in how many countries; none of those that have none. */
  countOffersOfGpus(names: readonly string[]): Map<string, GpuCounts> {
    const now = this.#now();
    const unknown = names.filter((name) => !this.#gpus.has(name));
    const counted = this.#index.countOffersOfGpus(unknown, now);
    for (const name of unknown) this.#gpus.set(name, counted.get(name) ?? null);
    const known = new Map<string, GpuCounts>();
    for (const name of names) {
      const counts = this.#gpus.get(name);
      if (counts) known.set(name, counts);
    }
    return known;
  }

  suggestRelaxation(search: Pick<IndexSearch, "filters" | "rate">) {
    return this.#index.suggestRelaxation(search, this.#now());
  }

  /** Reads what has changed up to now; readings wait for each other. */
  catchUp(): Promise<void> {
    const read = this.#reading.then(() => this.#read());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  /** By the database's clock. Offers that nobody can rent leave the market by it alone. */
  #now(): number {
    const now = performance.now() + this.#ahead;
    if (now >= this.#index.nextLeave) this.#outdate();
    return now;
  }

  #hint(): void {
    if (this.#hinted || this.#stopped) return;
    this.#hinted = true;
    this.#wait(Math.max(0, this.#readAt + GAP_MS - performance.now()));
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      void this.catchUp()
        .catch(this.onError)
        .finally(() => this.#wait(this.#hinted ? GAP_MS : POLL_MS));
    }, ms);
  }

  /** The whole market anew. */
  async #load(): Promise<void> {
    const index = new OfferIndex();
    const upTo = await readAllOffers(async (offers) => {
      for (const offer of offers) index.put(offer);
      await nextTurn();
    });
    for (const _ of index.rebin()) await nextTurn();
    this.#index = index;
    this.#outdate();
    this.#upTo = upTo;
    this.#seen = [];
    this.#json.forgetAll();
    this.#names = "";
    await this.#readNames();
  }

  async #read(): Promise<void> {
    this.#hinted = false;
    const startedAt = performance.now();
    const { offers, areTooMany, upTo, seen, now } = await readChanges(this.#upTo, this.#seen);
    this.#ahead = now - performance.now();
    if (BigInt(upTo) < BigInt(this.#upTo)) {
      // Another cluster, or a standby that had not everything: what was read may never have been.
      await this.#load();
    } else if (areTooMany) {
      this.#upTo = await readManyChanges(this.#upTo, (batch) => this.#take(batch));
      this.#seen = [];
    } else {
      await this.#take(offers);
      this.#upTo = upTo;
      this.#seen = seen;
    }
    this.#readAt = areTooMany ? performance.now() : startedAt;
    await this.#followNames(offers.length > 0 || areTooMany, startedAt);
    if (this.#index.isWorn) {
      for (const _ of this.#index.rebin()) await nextTurn();
    }
  }

  async #take(offers: readonly OfferFacts[]): Promise<void> {
    for (const [i, offer] of offers.entries()) {
      this.#index.put(offer);
      this.#json.forget(offer.id);
      // An import brings many thousands at once.
      if (i % AT_ONCE !== AT_ONCE - 1) continue;
      this.#outdate();
      await nextTurn();
    }
    if (offers.length > 0) this.#outdate();
  }

  /** A new provider comes with offers that changed; a new name of an old one with nothing. */
  async #followNames(changed: boolean, now: number): Promise<void> {
    this.#areNamesOld ||= changed;
    if (now - this.#namesReadAt < (this.#areNamesOld ? POLL_MS : NAMES_MS)) return;
    await this.#readNames();
  }

  async #readNames(): Promise<void> {
    const [providers, gpus] = await Promise.all([readProviders(), readGpus()]);
    this.#index.setNames(providers, gpus);
    const names = JSON.stringify([providers, gpus]);
    // Answers name them.
    if (names !== this.#names) {
      this.#json.forgetAll();
      this.#outdate();
    }
    this.#names = names;
    this.#namesReadAt = performance.now();
    this.#areNamesOld = false;
  }
}
