import type { z } from "zod";
import type { marketFacets } from "../contract/facets";
import type { SearchFilters } from "../contract/offer";
import type { FilterName, RangeName } from "../contract/words";
import { inTransaction, Prisma, type Tx } from "../db/client";
import { convertMicro, microToNumber, type Rate } from "../kernel/money";
import { boundColumns, conditionsOf, type FilterCondition, missedBits, onMarket } from "./filter-conditions";
import { type CountedValues, makeHistogram } from "./histogram";
import { MAX_CITIES } from "./index/index-facets";
import { liveMarket } from "./index/live-index";

type Facets = z.output<typeof marketFacets>;

const rangeColumns = Object.entries({ price: Prisma.sql`o.price_micro`, ...boundColumns }) as [
  RangeName,
  Prisma.Sql,
][];
const nameFacets = ["gpu", "provider", "region", "country", "city"] as const;
const numberFacets = ["gpu_amount", "in_stock", "rentable", ...rangeColumns.map(([name]) => name)] as const;
type Facet = (typeof nameFacets)[number] | (typeof numberFacets)[number];

/** Every value of a facet with its count, among the offers that miss `missed`: 0 for no filter, else one filter's bit. */
interface Counted {
  facet: Facet;
  missed: number;
  names: [name: string, country: string | null, count: number][] | null;
  values: (number | null)[] | null;
  counts: number[] | null;
}

/** How many offers each filter would leave, each counted with the others on. Prices are in the rate's currency. */
export async function countFacets(search: { filters: SearchFilters; rate: Rate }): Promise<Facets> {
  return liveMarket()?.countFacets(search) ?? (await countFacetsInDatabase(search));
}

/**
 * The same in one pass over the table, where this node does not hold the market; the oracle of the tests. Of each offer it is known which
 * filters it misses, and one that misses a single filter still counts in that filter's own facet.
 */
export async function countFacetsInDatabase(search: { filters: SearchFilters; rate: Rate }): Promise<Facets> {
  const conditions = conditionsOf(search);
  const bitOf = new Map(conditions.map(({ filter }, i) => [filter, 2 ** i]));
  const { counted, gpus, providers } = await inTransaction(async (tx) => {
    // A hash table for each facet; with less they go to disk. Compiling costs more than such a query takes.
    await tx.$executeRaw`SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`;
    return {
      counted: await countValues(tx, conditions),
      gpus: await countGpus(tx, conditions),
      providers: await tx.provider.findMany({
        select: { id: true, translitName: true, name: true, isThirdParty: true },
      }),
    };
  });
  const rowsOf = (facet: Facet, filter: FilterName) =>
    counted.filter((row) => row.facet === facet && [0, bitOf.get(filter)].includes(row.missed));
  const namesOf = (facet: Facet, filter: FilterName) => mergeNames(rowsOf(facet, filter));
  const valuesOf = (facet: Facet, filter: FilterName) => mergeValues(rowsOf(facet, filter));
  const yesNo = (facet: "in_stock" | "rentable") => {
    const { known } = valuesOf(facet, facet);
    const countOf = (wanted: number) => known.find(([value]) => value === wanted)?.[1] ?? 0;
    return { yes: countOf(1), no: countOf(0) };
  };
  const providerById = new Map(providers.map((provider) => [provider.id, provider]));
  return {
    total_items: sum(counted.filter((row) => row.facet === "rentable" && row.missed === 0).flatMap(countsOf)),
    gpus: gpus.map(({ best_micro: best, ...gpu }) => ({
      ...gpu,
      best_price_per_gpu: toPrice(best, search.rate),
    })),
    providers: namesOf("provider", "provider").flatMap(({ name: id, count }) => {
      const provider = providerById.get(id);
      if (!provider) return [];
      const { translitName, name, isThirdParty } = provider;
      return [{ translit_name: translitName, name, is_third_party: isThirdParty, count }];
    }),
    locations: {
      regions: namesOf("region", "location").map(({ name, count }) => ({ name, count })),
      countries: namesOf("country", "location").map(({ name, count }) => ({ name, count })),
      cities: namesOf("city", "location").slice(0, MAX_CITIES),
    },
    gpu_amounts: valuesOf("gpu_amount", "gpu_amount").known.map(([value, count]) => ({ value, count })),
    in_stock: yesNo("in_stock"),
    rentable: yesNo("rentable"),
    ranges: Object.fromEntries(
      rangeColumns.map(([name]) => {
        const { known, unknown } = valuesOf(name, name);
        const shown = name === "price" ? showPrices(known, search.rate) : known;
        const [min, max] = [shown[0]?.[0] ?? null, shown.at(-1)?.[0] ?? null];
        return [name, { min, max, unknown, buckets: makeHistogram(shown) }];
      }),
    ) as Facets["ranges"],
  };
}

function countValues(tx: Tx, conditions: FilterCondition[]): Promise<Counted[]> {
  const columns = Prisma.join(
    rangeColumns.map(([name, column]) => Prisma.sql`${column}::float8 AS ${Prisma.raw(name)}`),
  );
  const numbers = Prisma.raw(numberFacets.join(", "));
  const sets = Prisma.raw(
    [...nameFacets, ...numberFacets]
      .map((facet) => (facet === "city" ? "(missed, city, country)" : `(missed, ${facet})`))
      .join(", "),
  );
  // The bit of a facet in grouping() is 0 where it is grouped by; a city brings its country along.
  const facetOf = Prisma.raw(
    `CASE ${["city", ...nameFacets, ...numberFacets]
      .map((facet) => `WHEN grouping(${facet}) = 0 THEN '${facet}'`)
      .join(" ")} END`,
  );
  return tx.$queryRaw<Counted[]>`
    WITH near AS (
      SELECT * FROM (
        SELECT o.gpu_translit_name AS gpu, o.provider_id AS provider, o.region, o.country, o.city, o.gpu_amount::float8 AS gpu_amount,
          o.in_stock::int::float8 AS in_stock, o.rentable::int::float8 AS rentable, ${columns}, ${missedBits(conditions)} AS missed
        FROM offer o WHERE ${onMarket}
      ) market WHERE missed & (missed - 1) = 0
    ), counted AS (
      SELECT ${facetOf} AS facet, missed, gpu, provider, region, country, city, coalesce(${numbers}) AS value, count(*)::int AS n
      FROM near GROUP BY GROUPING SETS (${sets})
    ), named AS (
      SELECT facet, missed, value, n, country,
        CASE facet WHEN 'provider' THEN provider WHEN 'region' THEN region WHEN 'country' THEN country WHEN 'city' THEN city END AS name
      FROM counted WHERE facet <> 'gpu'
    ) SELECT facet, missed, json_agg(json_build_array(name, country, n)) FILTER (WHERE name IS NOT NULL) AS names,
        array_agg(value) FILTER (WHERE name IS NULL) AS values, array_agg(n) FILTER (WHERE name IS NULL) AS counts
      FROM named GROUP BY facet, missed`;
}

interface GpuRow {
  gpu_translit_name: string;
  gpu_name: string;
  vram: number;
  count: number;
  rentable_count: number;
  best_micro: bigint | null;
}

function countGpus(tx: Tx, conditions: FilterCondition[]): Promise<GpuRow[]> {
  const others = conditions.filter(({ filter }) => filter !== "gpu_translit_name");
  const where = Prisma.join([onMarket, ...others.map(({ condition }) => condition)], " AND ");
  return tx.$queryRaw<GpuRow[]>`
    SELECT g.translit_name AS gpu_translit_name, g.name AS gpu_name, g.vram_gb AS vram, c.count, c.rentable_count, c.best_micro FROM (
      SELECT o.gpu_translit_name AS translit_name, count(*)::int AS count, count(*) FILTER (WHERE o.rentable)::int AS rentable_count,
        round(min(o.price_micro::numeric / greatest(o.gpu_amount, 1)) FILTER (WHERE o.rentable))::bigint AS best_micro
      FROM offer o WHERE ${where} GROUP BY 1
    ) c JOIN gpu g USING (translit_name) ORDER BY c.count DESC, g.translit_name`;
}

/** Places that differ in case only are one, as in the search. Most offers first. */
function mergeNames(rows: Counted[]): { name: string; country: string | null; count: number }[] {
  const merged = new Map<string, { name: string; country: string | null; count: number }>();
  for (const [name, country, count] of rows.flatMap(({ names }) => names ?? [])) {
    const key = JSON.stringify([name, country]).toLowerCase();
    const entry = merged.get(key) ?? { name, country, count: 0 };
    merged.set(key, { ...entry, count: entry.count + count });
  }
  const wordOf = ({ name, country }: { name: string; country: string | null }) =>
    country === null ? name : `${name}\u0000${country}`;
  return [...merged.values()].sort((a, b) => b.count - a.count || (wordOf(a) < wordOf(b) ? -1 : 1));
}

function mergeValues(rows: Counted[]): { known: CountedValues; unknown: number } {
  const merged = new Map<number | null, number>();
  for (const { values, counts } of rows) {
    values?.forEach((value, i) => {
      merged.set(value, (merged.get(value) ?? 0) + (counts?.[i] ?? 0));
    });
  }
  const unknown = merged.get(null) ?? 0;
  merged.delete(null);
  return { known: [...(merged as Map<number, number>)].sort(([a], [b]) => a - b), unknown };
}

function countsOf({ counts }: Counted): number[] {
  return counts ?? [];
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

function showPrices(micros: CountedValues, rate: Rate): CountedValues {
  return micros.map(([micro, count]) => [microToNumber(convertMicro(BigInt(micro), rate)), count]);
}

function toPrice(micro: bigint | null, rate: Rate): number | null {
  return micro === null ? null : microToNumber(convertMicro(micro, rate));
}
