import {
  createParser,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import type { SearchFilters } from "../contract/offer";
import type { BodyInput, Operations } from "../contract/operations";
import { type Currency, currencies, type OfferSort, offerSorts } from "../contract/words";

type SearchBody = NonNullable<BodyInput<Operations["searchMarket"]>>;

/** Both ends belong to it; null: no end. */
export interface Range {
  from: number | null;
  to: number | null;
}

const parseAsRange = createParser<Range>({
  parse(value) {
    const [from, to, ...rest] = value.split("..").map(toBound);
    if (from === undefined || to === undefined || rest.length > 0) return null;
    return from === null && to === null ? null : { from, to };
  },
  serialize: ({ from, to }) => `${from ?? ""}..${to ?? ""}`,
  eq: (a, b) => a.from === b.from && a.to === b.to,
});

/** null: none; undefined: not a number. */
function toBound(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The facts that a search bounds on both sides, in the order of the panel. */
export const bounded = [
  "price",
  "vram",
  "ram",
  "disk",
  "vcpu",
  "cpu_cores",
  "cpu_freq",
  "memory_speed",
  "ethernet_in",
  "ethernet_out",
  "capacity",
] as const;
type Bounded = (typeof bounded)[number];
export type RangeFilter = Bounded | "score";

/** What the address of the market says, by the names of the API's filters. */
export const marketParsers = {
  gpu_translit_name: parseAsArrayOf(parseAsString),
  location: parseAsArrayOf(parseAsString),
  provider: parseAsString,
  gpu_amount: parseAsInteger,
  cpu_name: parseAsString,
  in_stock: parseAsBoolean,
  rentable: parseAsBoolean,
  price: parseAsRange,
  vram: parseAsRange,
  ram: parseAsRange,
  disk: parseAsRange,
  vcpu: parseAsRange,
  cpu_cores: parseAsRange,
  cpu_freq: parseAsRange,
  memory_speed: parseAsRange,
  ethernet_in: parseAsRange,
  ethernet_out: parseAsRange,
  capacity: parseAsRange,
  score: parseAsRange,
  sort: parseAsStringLiteral(offerSorts),
  currency: parseAsStringLiteral(currencies),
};

export const marketUrlKeys = {
  gpu_translit_name: "gpu",
  location: "in",
  provider: "by",
  gpu_amount: "n",
  cpu_name: "cpu",
  in_stock: "stock",
  cpu_cores: "cores",
  cpu_freq: "ghz",
  memory_speed: "mem",
  ethernet_in: "down",
  ethernet_out: "up",
  capacity: "tflops",
  currency: "cur",
} as const;

export type MarketState = inferParserType<typeof marketParsers>;
export type MarketFilter = Exclude<keyof MarketState, "sort" | "currency">;

/** A search as the API takes it, without its page. */
export interface MarketSearch {
  currency: Currency;
  query: SearchFilters;
  sort_by: OfferSort;
}

export const OFFERS_A_PAGE = 50;

/** `chosen` is the currency where the address names none. */
export function toSearch(state: MarketState, chosen: Currency): MarketSearch {
  return { currency: state.currency ?? chosen, query: toQuery(state), sort_by: state.sort ?? "price_asc" };
}

export function toSearchPage(search: MarketSearch, page: number): SearchBody {
  return { ...search, start: page * OFFERS_A_PAGE, limit: OFFERS_A_PAGE };
}

export function toFacetsBody({ currency, query }: MarketSearch) {
  return { currency, query };
}

function toQuery(state: MarketState): SearchFilters {
  const query: SearchFilters = {};
  const { gpu_translit_name, location, provider, cpu_name, gpu_amount, in_stock, rentable } = state;
  if (gpu_translit_name?.length) query.gpu_translit_name = gpu_translit_name;
  if (location?.length) query.location = location;
  if (provider) query.provider = provider;
  if (cpu_name) query.cpu_name = cpu_name;
  if (gpu_amount !== null) query.gpu_amount = gpu_amount;
  if (in_stock !== null) query.in_stock = in_stock;
  if (rentable !== null) query.rentable = rentable;
  for (const name of bounded) {
    const range = state[name];
    if (range?.from != null) query[`${name}_gt`] = step(range.from, -1);
    if (range?.to != null) query[`${name}_lt`] = step(range.to, 1);
  }
  if (state.score?.from != null) query.score_gt = step(state.score.from, -1);
  return query;
}

/**
 * The API's bounds are strict, those of a page are not: one millionth apart, which is the least that prices, and more
 * than any other fact, can differ by.
 */
function step(value: number, direction: 1 | -1): number {
  return Number((value + direction * 1e-6).toFixed(6));
}

/** The view that shows a search, for those that were kept or made elsewhere. */
export function toState({ currency, query, sort_by }: MarketSearch): MarketState {
  const range = (from: number | null, to: number | null): Range | null =>
    from === null && to === null ? null : { from, to };
  const bound = (value: number | undefined, direction: 1 | -1) =>
    value === undefined ? null : step(value, direction);
  const between = (name: Bounded) => range(bound(query[`${name}_gt`], 1), bound(query[`${name}_lt`], -1));
  return {
    gpu_translit_name: query.gpu_translit_name ?? null,
    location: query.location ?? null,
    provider: query.provider ?? null,
    gpu_amount: query.gpu_amount ?? null,
    cpu_name: query.cpu_name ?? null,
    in_stock: query.in_stock ?? null,
    rentable: query.rentable ?? null,
    price: between("price"),
    vram: between("vram"),
    ram: between("ram"),
    disk: between("disk"),
    vcpu: between("vcpu"),
    cpu_cores: between("cpu_cores"),
    cpu_freq: between("cpu_freq"),
    memory_speed: between("memory_speed"),
    ethernet_in: between("ethernet_in"),
    ethernet_out: between("ethernet_out"),
    capacity: between("capacity"),
    score: range(bound(query.score_gt, 1), null),
    sort: sort_by === "price_asc" ? null : sort_by,
    currency,
  };
}

const serialize = createSerializer(marketParsers, { urlKeys: marketUrlKeys });

/** The market with these filters on. */
export function marketHref(state: Partial<MarketState>): string {
  return `/market${serialize(state)}`;
}
