import type { z } from "zod";
import type { marketFacets } from "../../contract/facets";
import type { FilterName, RangeName } from "../../contract/words";
import { convertMicro, microToNumber, type Rate, smallestUsdMicroAtLeast } from "../../kernel/money";
import { hasBit } from "./bits";
import { type OfferColumns, rangeNames, splitCity } from "./offer-columns";
import type { GpuNames, ProviderNames } from "./offer-facts";
import { type Shown, tallyRange, tallyValues, tallyWords } from "./tally";
import { NO_WORD, type WordColumn } from "./word-column";

export type Facets = z.output<typeof marketFacets>;

export const MAX_CITIES = 200;
const asItIs: Shown = { show: (value) => value, leastShownAs: (edge) => edge };

export interface Catalogue {
  providers: ReadonlyMap<string, ProviderNames>;
  gpus: ReadonlyMap<string, GpuNames>;
}

/**
 * How many offers each filter would leave.
 * @param rowsBut the rows that meet every filter that is set but this one
 */
export function countIndexFacets(
  columns: OfferColumns,
  rowsBut: (filter: FilterName) => Uint32Array,
  { providers, gpus }: Catalogue,
  rate: Rate,
): Omit<Facets, "total_items"> {
  const inPlace = rowsBut("location");
  const prices: Shown = {
    show: (micro) => microToNumber(convertMicro(BigInt(micro), rate)),
    leastShownAs: (edge) => Number(smallestUsdMicroAtLeast(edge, rate)),
  };
  const yesNo = (filter: "in_stock" | "rentable") => {
    const rows = rowsBut(filter);
    const bits = filter === "in_stock" ? columns.inStock : columns.rentable;
    let yes = 0;
    for (let i = 0; i < rows.length; i += 1) if (hasBit(bits, rows[i] as number)) yes += 1;
    return { yes, no: rows.length - yes };
  };
  return {
    gpus: countGpus(columns, rowsBut("gpu_translit_name"), gpus, prices),
    providers: namesOf(columns.providers, rowsBut("provider")).flatMap(({ name: id, count }) => {
      const provider = providers.get(id);
      if (!provider) return [];
      const { translitName, name, isThirdParty } = provider;
      return [{ translit_name: translitName, name, is_third_party: isThirdParty, count }];
    }),
    locations: {
      regions: namesOf(columns.regions, inPlace),
      countries: namesOf(columns.countries, inPlace),
      cities: citiesOf(columns.cities, inPlace),
    },
    gpu_amounts: tallyValues(columns.range("gpu_amount"), rowsBut("gpu_amount")).map(([value, count]) => ({
      value,
      count,
    })),
    in_stock: yesNo("in_stock"),
    rentable: yesNo("rentable"),
    ranges: Object.fromEntries(
      rangeNames.map((name) => [
        name,
        tallyRange(columns.range(name), rowsBut(name), name === "price" ? prices : asItIs),
      ]),
    ) as Record<RangeName, Facets["ranges"]["price"]>,
  };
}

function countGpus(
  columns: OfferColumns,
  rows: Uint32Array,
  names: Catalogue["gpus"],
  prices: Shown,
): Facets["gpus"] {
  const { gpus, rentable } = columns;
  const size = gpus.words.length;
  const [counts, rentables] = [new Uint32Array(size), new Uint32Array(size)];
  const best = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const { values } = columns.range("price_per_gpu");
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] as number;
    const code = gpus.codes[row] as number;
    counts[code] = (counts[code] as number) + 1;
    if (!hasBit(rentable, row)) continue;
    rentables[code] = (rentables[code] as number) + 1;
    if ((values[row] as number) < (best[code] as number)) best[code] = values[row] as number;
  }
  return gpus.words
    .flatMap((word, code) => {
      const gpu = names.get(word);
      if (code === NO_WORD || !gpu || counts[code] === 0) return [];
      return [
        {
          gpu_translit_name: word,
          gpu_name: gpu.name,
          vram: gpu.vramGb,
          count: counts[code] as number,
          rentable_count: rentables[code] as number,
          best_price_per_gpu: Number.isFinite(best[code])
            ? prices.show(Math.round(best[code] as number))
            : null,
        },
      ];
    })
    .sort((a, b) => b.count - a.count || (a.gpu_translit_name < b.gpu_translit_name ? -1 : 1));
}

/** Places that differ in case only are one, as in the search. Most offers first. */
function namesOf(column: WordColumn, rows: Uint32Array): { name: string; count: number }[] {
  const merged = new Map<string, { name: string; count: number }>();
  for (const [code, count] of tallyWords(column, rows).entries()) {
    if (code === NO_WORD || count === 0) continue;
    const name = column.words[code] as string;
    const known = merged.get(name.toLowerCase());
    if (known) known.count += count;
    else merged.set(name.toLowerCase(), { name, count });
  }
  return [...merged.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function citiesOf(column: WordColumn, rows: Uint32Array): Facets["locations"]["cities"] {
  return namesOf(column, rows)
    .slice(0, MAX_CITIES)
    .map(({ name: word, count }) => {
      const [name, country] = splitCity(word);
      return { name, country, count };
    });
}
