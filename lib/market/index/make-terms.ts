import type { SearchFilters } from "../../contract/offer";
import type { FilterName } from "../../contract/words";
import { largestUsdMicroBelow, type Rate, smallestUsdMicroAbove } from "../../kernel/money";
import type { Bits } from "./bits";
import { type OfferColumns, rangeNames, splitCity } from "./offer-columns";
import { noneOf, type Term, termOfSet } from "./term";
import { NO_WORD, type WordColumn } from "./word-column";
import { termOfWords } from "./words-term";

/** Of a provider's name or translit name, the ids. */
export type ProviderIds = ReadonlyMap<string, ReadonlySet<string>>;

interface Wish {
  filters: SearchFilters;
  rate: Rate;
}

/** The filters that are set; an offer is found where it meets all of them. */
export function makeTerms(columns: OfferColumns, providers: ProviderIds, { filters, rate }: Wish): Term[] {
  const terms = boundTerms(columns, { filters, rate });
  const { location, provider, cpu_name: cpu, gpu_translit_name: gpus, gpu_amount: amount } = filters;
  if (location) terms.push(placeTerm(columns, location));
  if (gpus) terms.push(wordTerm(columns, "gpu_translit_name", columns.gpus, codesOf(columns.gpus, gpus)));
  if (provider) {
    const ids = providers.get(provider) ?? [];
    terms.push(wordTerm(columns, "provider", columns.providers, codesOf(columns.providers, ids)));
  }
  if (cpu) {
    const part = cpu.toLowerCase();
    const codes = codesWhere(columns.cpus, (name) => name.toLowerCase().includes(part));
    terms.push(wordTerm(columns, "cpu_name", columns.cpus, codes));
  }
  const { in_stock: inStock, rentable } = filters;
  if (inStock !== undefined) terms.push(flagTerm(columns, "in_stock", columns.inStock, inStock));
  if (rentable !== undefined) terms.push(flagTerm(columns, "rentable", columns.rentable, rentable));
  if (amount !== undefined) terms.push(columns.range("gpu_amount").equalTo("gpu_amount", amount));
  // The cheap ones first: what they leave nothing of in a block costs the others nothing.
  return terms.sort((a, b) => a.cost - b.cost);
}

function boundTerms(columns: OfferColumns, { filters, rate }: Wish): Term[] {
  const terms: Term[] = [];
  for (const name of rangeNames) {
    const above = filters[`${name}_gt` as keyof SearchFilters] as number | undefined;
    const below = filters[`${name}_lt` as keyof SearchFilters] as number | undefined;
    if (above === undefined && below === undefined) continue;
    if (name !== "price") {
      terms.push(columns.range(name).between(name, above ?? null, below ?? null));
      continue;
    }
    // Prices are whole micro-units: at least the one is more than its neighbour below. Bounds beyond 2^53 are beyond all prices.
    const least = above === undefined ? null : Number(smallestUsdMicroAbove(above, rate)) - 1;
    const most = below === undefined ? null : Number(largestUsdMicroBelow(below, rate)) + 1;
    terms.push(columns.range(name).between(name, least, most));
  }
  return terms;
}

function flagTerm({ space, live }: OfferColumns, filter: FilterName, flagged: Bits, wanted: boolean): Term {
  return wanted ? termOfSet(space, filter, flagged) : termOfSet(space, filter, live, flagged);
}

function wordTerm(
  { space, room }: OfferColumns,
  filter: FilterName,
  column: WordColumn,
  wanted: ReadonlySet<number>,
): Term {
  if (wanted.size === 0) return noneOf(filter);
  return termOfWords(space, filter, [column.rowsOf(wanted)], room);
}

/** A place is a city, a country or a region, in any case of its letters. */
function placeTerm(
  { space, room, cities, countries, regions }: OfferColumns,
  location: readonly string[],
): Term {
  const places = new Set(location.map((place) => place.toLowerCase()));
  const columns = [cities, countries, regions].flatMap((column) => {
    const wanted = codesWhere(column, (name) => places.has(splitCity(name)[0].toLowerCase()));
    return wanted.size === 0 ? [] : [column.rowsOf(wanted)];
  });
  return columns.length === 0 ? noneOf("location") : termOfWords(space, "location", columns, room);
}

function codesOf(column: WordColumn, words: Iterable<string>): Set<number> {
  const codes = [...words].map((word) => column.codeOf(word));
  return new Set(codes.filter((code) => code !== undefined));
}

function codesWhere(column: WordColumn, fits: (word: string) => boolean): Set<number> {
  const codes = new Set<number>();
  for (let code = NO_WORD + 1; code < column.words.length; code += 1) {
    if (fits(column.words[code] as string)) codes.add(code);
  }
  return codes;
}
