import type { z } from "zod";
import type { marketFacets } from "../../contract/facets";
import type { FilterName } from "../../contract/words";
import { convertMicro, microToNumber, type Rate, smallestUsdMicroAtLeast } from "../../kernel/money";
import type { Bits } from "./bits";
import type { FoundRows } from "./found-rows";
import { type OfferColumns, rangeNames, splitCity } from "./offer-columns";
import type { GpuNames, ProviderNames } from "./offer-facts";
import { type Shown, tallyRange, tallyValues } from "./tally";
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
 * @param rowsBut the rows that meet every filter that is set but this one, until it is asked again
 * @param areSet the filters that are set
 */
export function countIndexFacets(
  columns: OfferColumns,
  rowsBut: (filter: FilterName) => FoundRows,
  areSet: { has(filter: FilterName): boolean },
  { providers, gpus }: Catalogue,
  rate: Rate,
): Omit<Facets, "total_items"> {
  const prices: Shown = {
    show: (micro) => microToNumber(convertMicro(BigInt(micro), rate)),
    leastShownAs: (edge) => Number(smallestUsdMicroAtLeast(edge, rate)),
  };
  const facets = { ranges: {} } as Omit<Facets, "total_items">;
  const yesNo = (bits: Bits, { set, count }: FoundRows) => {
    const yes = columns.space.countBoth(set, bits);
    return { yes, no: count - yes };
  };
  const counters: [FilterName, (found: FoundRows) => void][] = [
    [
      "provider",
      (found) => {
        facets.providers = countProviders(columns, found, providers);
      },
    ],
    [
      "location",
      (found) => {
        const [regions, countries] = [namesOf(columns.regions, found), namesOf(columns.countries, found)];
        facets.locations = { regions, countries, cities: citiesOf(columns.cities, found) };
      },
    ],
    [
      "gpu_amount",
      (found) => {
        const values = tallyValues(columns.range("gpu_amount"), found);
        facets.gpu_amounts = values.map(([value, count]) => ({ value, count }));
      },
    ],
    [
      "in_stock",
      (found) => {
        facets.in_stock = yesNo(columns.inStock, found);
      },
    ],
    [
      "rentable",
      (found) => {
        facets.rentable = yesNo(columns.rentable, found);
      },
    ],
    ...rangeNames.map((name): [FilterName, (found: FoundRows) => void] => [
      name,
      (found) => {
        const shown = name === "price" ? prices : asItIs;
        facets.ranges[name] = tallyRange(columns.range(name), found, shown);
      },
    ]),
    [
      "gpu_translit_name",
      (found) => {
        facets.gpus = countGpus(columns, found, gpus, prices);
      },
    ],
  ];
  // Those whose filter is not set look at the same rows, which are listed once for them. The last one, GPUs, lists others.
  counters.sort(([a], [b]) => Number(areSet.has(a)) - Number(areSet.has(b)));
  for (const [filter, count] of counters) count(rowsBut(filter));
  return facets;
}

function countProviders(
  columns: OfferColumns,
  found: FoundRows,
  providers: Catalogue["providers"],
): Facets["providers"] {
  return namesOf(columns.providers, found).flatMap(({ name: id, count }) => {
    const provider = providers.get(id);
    if (!provider) return [];
    const { translitName, name, isThirdParty } = provider;
    return [{ translit_name: translitName, name, is_third_party: isThirdParty, count }];
  });
}

function countGpus(
  columns: OfferColumns,
  found: FoundRows,
  names: Catalogue["gpus"],
  prices: Shown,
): Facets["gpus"] {
  const { gpus, rentable } = columns;
  const counts = gpus.tally(found);
  const { least, counts: rentables } = gpus.lowest(found, rentable, columns.range("price_per_gpu").values);
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
          best_price_per_gpu: rentables[code] ? prices.show(Math.round(least[code] as number)) : null,
        },
      ];
    })
    .sort((a, b) => b.count - a.count || (a.gpu_translit_name < b.gpu_translit_name ? -1 : 1));
}

/** Places that differ in case only are one, as in the search. Most offers first. */
function namesOf(column: WordColumn, found: FoundRows): { name: string; count: number }[] {
  const counts = column.tally(found);
  const merged = new Map<number, { name: string; count: number }>();
  for (let code = NO_WORD + 1; code < counts.length; code += 1) {
    const count = counts[code] as number;
    if (count === 0) continue;
    const alike = column.alike[code] as number;
    const known = merged.get(alike);
    if (known) known.count += count;
    else merged.set(alike, { name: column.words[code] as string, count });
  }
  return [...merged.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function citiesOf(column: WordColumn, found: FoundRows): Facets["locations"]["cities"] {
  return namesOf(column, found)
    .slice(0, MAX_CITIES)
    .map(({ name: word, count }) => {
      const [name, country] = splitCity(word);
      return { name, country, count };
    });
}
