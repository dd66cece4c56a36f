import type { z } from "zod";
import type { relaxation } from "../../contract/facets";
import type { SearchFilters } from "../../contract/offer";
import type { FilterName, OfferSort } from "../../contract/words";
import type { Rate } from "../../kernel/money";
import { clearBit, countBits, hasBit, listRows } from "./bits";
import { findRows } from "./find-rows";
import { type Catalogue, countIndexFacets, type Facets } from "./index-facets";
import { makeTerms } from "./make-terms";
import { OfferColumns, type SortField } from "./offer-columns";
import type { GpuNames, OfferFacts, ProviderNames } from "./offer-facts";
import { OfferIds } from "./offer-ids";
import { pageRows } from "./page-rows";
import type { Term } from "./term";

const FIRST_CAPACITY = 1_024;
/** An offer that nobody can rent stays on the market so long. */
const SHOWN_MS = 24 * 3_600_000;
/** Bins are cut by so many rows at most. */
const SAMPLE = 50_000;

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
  #found = new Int32Array(FIRST_CAPACITY >>> 5);
  #scratch = new Uint32Array(FIRST_CAPACITY);

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
    this.#columns.write(row, offer);
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
    const [columns, found] = [this.#columns, this.#found];
    findRows(columns.live, makeTerms(columns, this.#providers, search), found);
    const total = countBits(found);
    const { sort, start, limit } = search;
    if (total <= start) return { ids: [], total };
    const rows = pageRows(found, total, {
      column: columns.range(sort.slice(0, sort.lastIndexOf("_")) as SortField),
      descending: sort.endsWith("_desc"),
      start,
      limit,
      byId: (a, b) => this.#ids.compare(a, b),
      scratch: this.#scratch,
    });
    return { ids: rows.map((row) => this.#ids.idOf(row)), total };
  }

  /** How many offers each filter would leave, each counted with the others on. */
  countFacets({ filters, rate }: Pick<IndexSearch, "filters" | "rate">, now: number): Facets {
    this.#hideGone(now);
    const terms = makeTerms(this.#columns, this.#providers, { filters, rate });
    const all = this.#list(terms);
    const isSet = new Set(terms.map(({ filter }) => filter));
    const rowsBut = (filter: FilterName) =>
      isSet.has(filter) ? this.#list(terms.filter((term) => term.filter !== filter)) : all;
    return {
      total_items: all.length,
      ...countIndexFacets(this.#columns, rowsBut, this.#catalogue, rate),
    };
  }

  /** What dropping each one of the filters that are set would leave, the most offers first. */
  suggestRelaxation({ filters, rate }: Pick<IndexSearch, "filters" | "rate">, now: number): Relaxation[] {
    this.#hideGone(now);
    const terms = makeTerms(this.#columns, this.#providers, { filters, rate });
    return terms
      .map(({ filter }) => {
        findRows(
          this.#columns.live,
          terms.filter((term) => term.filter !== filter),
          this.#found,
        );
        return { filter, total_items: countBits(this.#found) };
      })
      .sort((a, b) => b.total_items - a.total_items);
  }

  #list(terms: readonly Term[]): Uint32Array {
    findRows(this.#columns.live, terms, this.#found);
    const rows = new Uint32Array(countBits(this.#found));
    listRows(this.#found, null, rows);
    return rows;
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
      clearBit(this.#columns.live, row);
      this.#leaving.delete(row);
    }
  }

  #takeRow(): number {
    const row = this.#free.pop() ?? this.#rows++;
    if (row >= this.#capacity) this.#grow();
    return row;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#columns.grow(this.#capacity);
    this.#ids.grow(this.#capacity);
    this.#found = new Int32Array(this.#capacity >>> 5);
    this.#scratch = new Uint32Array(this.#capacity);
  }
}
