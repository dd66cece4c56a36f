import type { z } from "zod";
import type { relaxation } from "../../contract/facets";
import type { SearchFilters } from "../../contract/offer";
import type { FilterName, OfferSort } from "../../contract/words";
import type { Rate } from "../../kernel/money";
import type { GpuCounts } from "../presenter";
import { type Bits, hasBit } from "./bits";
import { findRows, findRowsButOne } from "./find-rows";
import { FoundRows } from "./found-rows";
import { type Catalogue, countIndexFacets, type Facets } from "./index-facets";
import { makeTerms } from "./make-terms";
import { OfferColumns, type SortField } from "./offer-columns";
import type { GpuNames, OfferFacts, ProviderNames } from "./offer-facts";
import { OfferIds } from "./offer-ids";
import { type PageTools, pageRows } from "./page-rows";
import { RowOrder } from "./row-order";
import type { Term } from "./term";
import { NO_WORD } from "./word-column";

const FIRST_CAPACITY = 1_024;
/** An offer that nobody can rent stays on the market so long. */
const SHOWN_MS = 24 * 3_600_000;
/** Bins are cut by so many rows at most. */
const SAMPLE = 50_000;

const USD: Rate = { currency: "USD", unitsPerUsd: "1" };

type Relaxation = z.output<typeof relaxation>;

export interface IndexSearch {
  filters: SearchFilters;
  sort: OfferSort;
  start: number;
  limit: number;
  rate: Rate;
}

/**
 * The offers of the market, column by column, so that a search touches the columns it names and little of them: each filter is
 * a few sets of rows (see RangeColumn, WordColumn), what is found is where they meet, and a page in any order comes from
 * the first bins of the column it is sorted by. A row stays where it is; a change of an offer moves bits.
 */
export class OfferIndex {
  #capacity = FIRST_CAPACITY;
  readonly #columns = new OfferColumns(FIRST_CAPACITY);
  readonly #ids = new OfferIds(FIRST_CAPACITY);
  readonly #providers = new Map<string, Set<string>>();
  #catalogue: Catalogue = { providers: new Map(), gpus: new Map() };
  /** When each row leaves the market if its offer stays as it is. */
  readonly #leaving = new Map<number, number>();
  #nextLeave = Number.POSITIVE_INFINITY;
  readonly #free: number[] = [];
  #rows = 0;
  #changes = 0;
  #pageTools = this.#makePageTools();

  /** What providers and GPUs are called. */
  setNames(providers: readonly ProviderNames[], gpus: readonly GpuNames[]): void {
    this.#catalogue = {
      providers: new Map(providers.map((provider) => [provider.id, provider])),
      gpus: new Map(gpus.map((gpu) => [gpu.translitName, gpu])),
    };
    this.#providers.clear();
    for (const { id, name, translitName } of providers) {
      for (const word of [name, translitName]) {
        this.#providers.set(word, (this.#providers.get(word) ?? new Set()).add(id));
      }
    }
  }

  /** An offer as it is now, whatever was known of it. */
  put(offer: OfferFacts): void {
    if (!offer.listed) {
      this.remove(offer.id);
      return;
    }
    let row = this.#ids.rowOf(offer.id);
    if (row < 0) {
      row = this.#takeRow();
      this.#ids.add(offer.id, row);
    }
    this.#columns.write(row, offer, this.#ids.headOf(row));
    this.#leaving.delete(row);
    if (offer.unavailableSince !== null) {
      const at = offer.unavailableSince + SHOWN_MS;
      this.#leaving.set(row, at);
      this.#nextLeave = Math.min(this.#nextLeave, at);
    }
    this.#changes += 1;
  }

  remove(id: string): void {
    const row = this.#ids.remove(id);
    if (row < 0) return;
    this.#columns.clear(row);
    this.#leaving.delete(row);
    this.#free.push(row);
  }

  /** When the first offer leaves the market if it stays as it is. */
  get nextLeave(): number {
    return this.#nextLeave;
  }

  /** Whether so much changed that `rebin` would make searches faster. */
  get isWorn(): boolean {
    return this.#changes > Math.max(FIRST_CAPACITY, (this.#rows - this.#free.length) / 2);
  }

  /** Fits the bins to the values that there are, a step at a time; between two steps others can search. */
  rebin(): Generator<void> {
    this.#changes = 0;
    const step = Math.max(1, Math.floor(this.#rows / SAMPLE));
    const rows = Uint32Array.from({ length: Math.ceil(this.#rows / step) }, (_, i) => i * step);
    return this.#columns.rebin(rows.filter((row) => hasBit(this.#columns.live, row)));
  }

  /**
   * The ids of a page of the offers that match, in order, and how many match.
   * @param now Unix milliseconds by the database's clock
   */
  search(search: IndexSearch, now: number): { ids: string[]; total: number } {
    this.#hideGone(now);
    const columns = this.#columns;
    const total = this.#find(makeTerms(columns, this.#providers, search));
    const { sort, start, limit } = search;
    if (total <= start) return { ids: [], total };
    const column = columns.range(sort.slice(0, sort.lastIndexOf("_")) as SortField);
    const descending = sort.endsWith("_desc");
    const order = new RowOrder(column.values, columns.idHeads.values, this.#ids, descending);
    const rows = pageRows(columns.found, total, { column, descending, order, start, limit }, this.#pageTools);
    return { ids: rows.map((row) => this.#ids.idOf(row)), total };
  }

  /** How many offers each filter would leave, each counted with the others on. */
  countFacets({ filters, rate }: Pick<IndexSearch, "filters" | "rate">, now: number): Facets {
    this.#hideGone(now);
    const terms = makeTerms(this.#columns, this.#providers, { filters, rate });
    this.#findButOne(terms);
    const all = this.#see(this.#columns.found, true);
    const areSet = new Map(terms.map(({ filter }, i) => [filter, this.#columns.butOne[i]]));
    const rowsBut = (filter: FilterName) => {
      const set = areSet.get(filter);
      return set ? this.#see(set) : all;
    };
    const facets = countIndexFacets(this.#columns, rowsBut, areSet, this.#catalogue, rate);
    return { total_items: all.count, ...facets };
  }

  /** How many offers there are of each of these GPUs, and in how many countries; none of those that have none. */
  countOffersOfGpus(names: readonly string[], now: number): Map<string, GpuCounts> {
    this.#hideGone(now);
    const counted = names.map((name): [string, GpuCounts] => {
      const filters = { gpu_translit_name: [name] };
      this.#find(makeTerms(this.#columns, this.#providers, { filters, rate: USD }));
      const found = this.#see(this.#columns.found);
      const inCountry = this.#columns.countries.tally(found);
      const countries = inCountry.filter((count, code) => count > 0 && code !== NO_WORD).length;
      return [name, { offers: found.count, countries }];
    });
    return new Map(counted.filter(([, { offers }]) => offers > 0));
  }

  /** What dropping each one of the filters that are set would leave, the most offers first. */
  suggestRelaxation({ filters, rate }: Pick<IndexSearch, "filters" | "rate">, now: number): Relaxation[] {
    this.#hideGone(now);
    const terms = makeTerms(this.#columns, this.#providers, { filters, rate });
    this.#findButOne(terms);
    const { space, butOne } = this.#columns;
    return terms
      .map(({ filter }, i) => ({ filter, total_items: space.count(butOne[i] as Bits) }))
      .sort((a, b) => b.total_items - a.total_items);
  }

  /** Writes what meets all of these to `found`. @returns how many that are */
  #find(terms: readonly Term[]): number {
    const { space, live, found } = this.#columns;
    return findRows(space, live, terms, found);
  }

  /** Writes what meets all of these to `found`, and what meets all but one of them to the set in its place of `butOne`. */
  #findButOne(terms: readonly Term[]): void {
    const { space, live, found, butOne } = this.#columns;
    findRowsButOne(space, live, terms, found, butOne.slice(0, terms.length));
  }

  #see(found: Bits, ofMany = false): FoundRows {
    const { space, live, room } = this.#columns;
    return new FoundRows(space, { live, found, room: room[0] }, ofMany);
  }

  /** Takes out of sight what has been unavailable for a day. It stays known, for it may come back. */
  #hideGone(now: number): void {
    if (now < this.#nextLeave) return;
    this.#nextLeave = Number.POSITIVE_INFINITY;
    for (const [row, at] of this.#leaving) {
      if (at > now) {
        this.#nextLeave = Math.min(this.#nextLeave, at);
        continue;
      }
      this.#columns.clear(row);
      this.#leaving.delete(row);
    }
  }

  #takeRow(): number {
    const freed = this.#free.pop();
    if (freed !== undefined) return freed;
    if (this.#rows >= this.#capacity) this.#grow();
    return this.#rows++;
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    this.#columns.grow(capacity);
    this.#ids.grow(capacity);
    this.#capacity = capacity;
    this.#pageTools = this.#makePageTools();
  }

  #makePageTools(): PageTools {
    const { space, idHeads, room } = this.#columns;
    return { space, heads: idHeads, sets: room };
  }
}
