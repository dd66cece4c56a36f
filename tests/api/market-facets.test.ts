import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { operations, type ResponseOf } from "@/lib/contract/operations";
import { type FilterName, rangeNames } from "@/lib/contract/words";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeRandomMarket, type Row, type SearchInput, searchBodies } from "../support/random-market";

useTestDatabase();

type Offer = ResponseOf<(typeof operations)["searchMarket"]>["data"][number];
type Search = Pick<SearchInput, "currency" | "query">;

let key = "";
let rows: Row[] = [];

beforeAll(async () => {
  ({ key } = await makeAccount());
  rows = await makeRandomMarket();
});

async function search(body: Search): Promise<{ offers: Offer[]; total: number }> {
  const answer = await callApi(operations.searchMarket, { key, body });
  expect(answer.status).toBe(200);
  return { offers: answer.body.data, total: answer.body.total_items };
}

async function countFacets(body: Search) {
  const answer = await callApi(operations.countMarketFacets, { key, body });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

function without({ currency, query }: Search, filter: FilterName): Search {
  const own = [filter, `${filter}_gt`, `${filter}_lt`];
  return {
    currency,
    query: Object.fromEntries(Object.entries(query).filter(([name]) => !own.includes(name))),
  };
}

function isSet(query: Search["query"], name: string): boolean {
  const value = query[name];
  return (
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}

function tally(values: (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) if (value !== null) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function countsBy<T extends { count: number }>(
  entries: T[],
  nameOf: (entry: T) => unknown,
): Record<string, number> {
  return Object.fromEntries(entries.map((entry) => [String(nameOf(entry)), entry.count]));
}

function factOf(offer: Offer, name: (typeof rangeNames)[number]): number | null {
  const { configuration } = offer;
  if (name === "price") return offer.prices[0]?.price ?? null;
  if (name === "vram" || name === "score") return offer[name];
  return name === "ram" || name === "disk" ? configuration[name].amount : configuration[name];
}

const bodies = searchBodies(() => rows).map(({ currency, query }) => ({ currency, query }));

describe("facets", () => {
  it("MKT-20 counts each value of a filter as the search finds it with the other filters on", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const facets = await countFacets(body);
        expect(facets.total_items).toBe((await search(body)).total);

        const ofGpus = await search(without(body, "gpu_translit_name"));
        const ofGpu = (name: string) => ofGpus.offers.filter((offer) => offer.gpu_translit_name === name);
        expect(countsBy(facets.gpus, (entry) => entry.gpu_translit_name)).toEqual(
          tally(ofGpus.offers.map((offer) => offer.gpu_translit_name)),
        );
        for (const gpu of facets.gpus) {
          const rentable = ofGpu(gpu.gpu_translit_name).filter((offer) => offer.rentable);
          const prices = rentable.map(({ prices: [hour] }) => hour?.price_per_gpu ?? Number.NaN);
          expect(gpu.rentable_count).toBe(rentable.length);
          if (rentable.length === 0) expect(gpu.best_price_per_gpu).toBeNull();
          else expect(gpu.best_price_per_gpu).toBeCloseTo(Math.min(...prices), 3);
        }

        const ofProviders = await search(without(body, "provider"));
        expect(countsBy(facets.providers, (entry) => entry.translit_name)).toEqual(
          tally(ofProviders.offers.map((offer) => offer.provider_translit_name)),
        );

        const ofPlaces = (await search(without(body, "location"))).offers.map(({ location }) => location);
        const { regions, countries, cities } = facets.locations;
        expect(countsBy(regions, ({ name }) => name)).toEqual(tally(ofPlaces.map(({ region }) => region)));
        expect(countsBy(countries, ({ name }) => name)).toEqual(
          tally(ofPlaces.map(({ country }) => country)),
        );
        expect(countsBy(cities, ({ name, country }) => `${name}, ${country}`)).toEqual(
          tally(ofPlaces.map(({ city, country }) => (city === null ? null : `${city}, ${country}`))),
        );

        const ofAmounts = await search(without(body, "gpu_amount"));
        expect(countsBy(facets.gpu_amounts, ({ value }) => value)).toEqual(
          tally(ofAmounts.offers.map((offer) => String(offer.gpu_amount))),
        );
        for (const name of ["in_stock", "rentable"] as const) {
          const { offers, total } = await search(without(body, name));
          const yes = offers.filter((offer) => offer[name]).length;
          expect(facets[name]).toEqual({ yes, no: total - yes });
        }
      }),
      { numRuns: 12, seed: 20 },
    );
  });

  it("MKT-21 spreads what offers say over buckets without a gap, and counts those that do not say it", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { ranges } = await countFacets(body);
        for (const name of rangeNames) {
          const { offers } = await search(without(body, name));
          const values = offers.map((offer) => factOf(offer, name));
          const known = values.filter((value) => value !== null);
          const { min, max, unknown, buckets } = ranges[name];
          expect({ name, unknown }).toEqual({ name, unknown: values.length - known.length });
          expect([min, max]).toEqual(
            known.length === 0 ? [null, null] : [Math.min(...known), Math.max(...known)],
          );
          expect([buckets[0]?.from ?? null, buckets.at(-1)?.to ?? null]).toEqual([min, max]);
          expect(buckets.length).toBeLessThanOrEqual(20);
          for (const [i, { from, to, count }] of buckets.entries()) {
            const isLast = i === buckets.length - 1;
            if (!isLast) expect(buckets[i + 1]?.from).toBe(to);
            expect(count).toBe(
              known.filter((value) => value >= from && (value < to || (isLast && value === to))).length,
            );
          }
        }
      }),
      { numRuns: 12, seed: 21 },
    );
  });

  it("MKT-22 finds with a value in its filter's place what the facet counted", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), async (body, pick) => {
        const facets = await countFacets(body);
        const entry = <T>(entries: T[]): T | undefined => entries[pick % Math.max(1, entries.length)];
        const [gpu, provider, amount] = [
          entry(facets.gpus),
          entry(facets.providers),
          entry(facets.gpu_amounts),
        ];
        const country = entry(facets.locations.countries);
        const chosen: [FilterName, unknown, number | undefined][] = [
          ["gpu_translit_name", [gpu?.gpu_translit_name ?? "none"], gpu?.count],
          ["provider", provider?.translit_name ?? "none", provider?.count],
          ["gpu_amount", amount?.value ?? -1, amount?.count],
          ["location", [country?.name.toUpperCase() ?? "none"], country?.count],
          ["in_stock", true, facets.in_stock.yes],
          ["rentable", false, facets.rentable.no],
        ];
        for (const [filter, value, count] of chosen) {
          const { total } = await search({
            ...body,
            query: { ...without(body, filter).query, [filter]: value },
          });
          expect([filter, total]).toEqual([filter, count ?? 0]);
        }
      }),
      { numRuns: 20, seed: 22 },
    );
  });
});

describe("what to relax", () => {
  it("MKT-23 says of each filter that is set what the search finds without it, the most first", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { data } = (await callApi(operations.suggestRelaxation, { key, body })).body;
        const set = Object.keys(body.query).filter((name) => isSet(body.query, name));
        expect(new Set(data.map(({ filter }) => filter))).toEqual(
          new Set(set.map((name) => name.replace(/_(gt|lt)$/, ""))),
        );
        for (const { filter, total_items } of data) {
          expect([filter, total_items]).toEqual([filter, (await search(without(body, filter))).total]);
        }
        const totals = data.map(({ total_items }) => total_items);
        expect(totals).toEqual([...totals].sort((a, b) => b - a));
      }),
      { numRuns: 30, seed: 23 },
    );
  });

  it("MKT-24 suggests nothing where no filter is set", async () => {
    const body = { query: { location: [], rentable: null, provider: "" } };
    expect((await callApi(operations.suggestRelaxation, { key, body })).body.data).toEqual([]);
  });
});

describe("what both refuse", () => {
  it.each(["countMarketFacets", "suggestRelaxation"] as const)(
    "MKT-25 %s places what is wrong in its body, and takes none for an empty one",
    async (name) => {
      const wrong = await callApi(operations[name], { key, body: { query: { vram_gt: "many" } } });
      expect(wrong.status).toBe(422);
      expect(wrong.error.detail).toMatchObject([{ loc: ["body", "query", "vram_gt"] }]);
      expect((await callApi(operations[name], { key })).status).toBe(200);
    },
  );
});
