import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchFilters } from "@/lib/contract/offer";
import { offerSorts } from "@/lib/contract/words";
import { newId } from "@/lib/kernel/ids";
import type { OfferFacts } from "@/lib/market/index/offer-facts";
import { type IndexSearch, OfferIndex } from "@/lib/market/index/offer-index";

const providers = [
  { id: "a", name: "Provider A", translitName: "aa", isThirdParty: false },
  { id: "b", name: "B", translitName: "b", isThirdParty: false },
];
const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;
const rate = { currency: "USD", unitsPerUsd: "1" } as const;

const ids = Array.from({ length: 120 }, () => newId("offer"));
/** Few values, so that there are ties, and many, so that bins are shared. */
const fact = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 4, arbitrary: fc.double({ min: 0, max: 1_000, noNaN: true }) },
);
const place = fc.constantFrom(
  null,
  "Berlin",
  "berlin",
  "Singapore",
  "Riga",
  ...Array.from({ length: 40 }, (_, i) => `City ${i}`),
);
const gpu = fc.constantFrom(null, ...Array.from({ length: 200 }, (_, i) => `gpu-${i}`));

const offer: fc.Arbitrary<OfferFacts> = fc.record({
  id: fc.constantFrom(...ids),
  providerId: fc.constantFrom("a", "b", "c"),
  gpu,
  gpuAmount: fc.integer({ min: 0, max: 8 }),
  priceMicro: fc.option(fc.integer({ min: 1, max: 5_000_000 })),
  score: fc.integer({ min: 0, max: 100 }),
  vram: fact,
  ram: fact,
  disk: fact,
  vcpu: fact,
  cpuCores: fact,
  cpuFreq: fact,
  memorySpeed: fact,
  ethernetIn: fact,
  ethernetOut: fact,
  capacity: fact,
  cpuName: fc.constantFrom(null, "AMD EPYC 7543", "amd epyc 9554", "Intel Xeon"),
  city: place,
  country: fc.constantFrom(null, "Germany", "Singapore", "Latvia"),
  region: fc.constantFrom(null, "Europe", "Asia"),
  inStock: fc.boolean(),
  rentable: fc.boolean(),
  listed: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  unavailableSince: fc.constantFrom(null, null, NOW - DAY_MS - 1, NOW - DAY_MS, NOW - DAY_MS + 1, NOW),
});

const step = fc.oneof(
  { weight: 12, arbitrary: offer.map((put) => ({ put })) },
  { weight: 2, arbitrary: fc.constantFrom(...ids).map((remove) => ({ remove })) },
  { weight: 1, arbitrary: fc.constant({ rebin: true as const }) },
);

const bound = fc.oneof(fc.integer({ min: 0, max: 7 }), fc.double({ min: -1, max: 1_001, noNaN: true }));
const filters: fc.Arbitrary<SearchFilters> = fc
  .record(
    {
      location: fc.array(fc.constantFrom("BERLIN", "singapore", "Europe", "City 3", "nowhere"), {
        minLength: 1,
      }),
      gpu_translit_name: fc.array(
        gpu.map((name) => name ?? "gpu-x"),
        { minLength: 1, maxLength: 30 },
      ),
      provider: fc.constantFrom("Provider A", "b", "nobody"),
      cpu_name: fc.constantFrom("epyc", "9554", "xeon", "nothing"),
      in_stock: fc.boolean(),
      rentable: fc.boolean(),
      gpu_amount: fc.constantFrom(0, 1, 2, 1.5),
      score_gt: bound,
      price_gt: fc.double({ min: 0, max: 5, noNaN: true }),
      price_lt: fc.double({ min: 0, max: 5, noNaN: true }),
      vram_gt: bound,
      vram_lt: bound,
      ram_lt: bound,
      capacity_gt: bound,
      cpu_freq_gt: bound,
      cpu_freq_lt: bound,
    },
    { requiredKeys: [] },
  )
  // With all at once nearly nothing would match.
  .chain((all) => fc.subarray(Object.keys(all), { maxLength: 3 }).map((keys) => pick(all, keys)));

function pick(all: SearchFilters, keys: string[]): SearchFilters {
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));
}

const facts = {
  price: "priceMicro",
  score: "score",
  vram: "vram",
  ram: "ram",
  disk: "disk",
  vcpu: "vcpu",
  cpu_cores: "cpuCores",
  cpu_freq: "cpuFreq",
  memory_speed: "memorySpeed",
  ethernet_in: "ethernetIn",
  ethernet_out: "ethernetOut",
  capacity: "capacity",
} as const;

/** As section 4.2 says it, offer by offer. */
function meets(row: OfferFacts, given: SearchFilters): boolean {
  const bounds = Object.entries(facts).every(([name, key]) => {
    const value = name === "price" && row.priceMicro !== null ? row.priceMicro / 1e6 : row[key];
    const above = given[`${name}_gt` as keyof SearchFilters] as number | undefined;
    const below = given[`${name}_lt` as keyof SearchFilters] as number | undefined;
    return (
      (above === undefined || (value !== null && value > above)) &&
      (below === undefined || (value !== null && value < below))
    );
  });
  const places = [row.city, row.country, row.region].map((name) => name?.toLowerCase());
  const provider = { "Provider A": "a", b: "b" }[given.provider ?? ""];
  return (
    bounds &&
    (!given.location || given.location.some((name) => places.includes(name.toLowerCase()))) &&
    (!given.gpu_translit_name || (row.gpu !== null && given.gpu_translit_name.includes(row.gpu))) &&
    (!given.provider || provider === row.providerId) &&
    (!given.cpu_name || (row.cpuName?.toLowerCase().includes(given.cpu_name) ?? false)) &&
    (given.in_stock === undefined || given.in_stock === row.inStock) &&
    (given.rentable === undefined || given.rentable === row.rentable) &&
    (given.gpu_amount === undefined || given.gpu_amount === row.gpuAmount)
  );
}

function searchOneByOne(rows: Iterable<OfferFacts>, { filters: given, sort, start, limit }: IndexSearch) {
  const found = [...rows].filter(
    (row) => (row.unavailableSince === null || row.unavailableSince > NOW - DAY_MS) && meets(row, given),
  );
  const field = sort.slice(0, sort.lastIndexOf("_"));
  const key = (row: OfferFacts): number | null => {
    if (field === "gpu_amount") return row.gpuAmount;
    if (field === "price_per_gpu")
      return row.priceMicro === null ? null : row.priceMicro / Math.max(1, row.gpuAmount);
    return row[facts[field as keyof typeof facts]];
  };
  const direction = sort.endsWith("_desc") ? -1 : 1;
  found.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || (a.id < b.id ? -1 : 1);
    return (x - y) * direction || (a.id < b.id ? -1 : 1);
  });
  return { ids: found.slice(start, start + limit).map(({ id }) => id), total: found.length };
}

describe("the offers in memory", () => {
  it("IDX-01 answers as looking at each offer does, whatever came, changed and went before", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 200 }),
        fc.array(
          fc.record({
            filters,
            sort: fc.constantFrom(...offerSorts),
            start: fc.integer({ min: 0, max: 30 }),
            limit: fc.integer({ min: 1, max: 50 }),
          }),
          { minLength: 5, maxLength: 20 },
        ),
        (steps, searches) => {
          const index = new OfferIndex();
          index.setNames(providers, []);
          const rows = new Map<string, OfferFacts>();
          for (const one of steps) {
            if ("put" in one) {
              index.put(one.put);
              if (one.put.listed) rows.set(one.put.id, one.put);
              else rows.delete(one.put.id);
            } else if ("remove" in one) {
              index.remove(one.remove);
              rows.delete(one.remove);
            } else for (const _ of index.rebin());
          }
          for (const search of searches) {
            const given = { ...search, rate };
            expect(index.search(given, NOW)).toEqual(searchOneByOne(rows.values(), given));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("IDX-02 the same among many thousands, where bins and sets are shared and pages are deep", () => {
    const many = fc.sample(offer, { numRuns: 6_000, seed: 7 }).map((row) => ({ ...row, id: newId("offer") }));
    const index = new OfferIndex();
    index.setNames(providers, []);
    for (const row of many) index.put(row);
    for (const _ of index.rebin());
    for (const row of many.slice(0, 500)) index.put({ ...row, priceMicro: (row.priceMicro ?? 5) + 1 });
    const rows = new Map(many.map((row) => [row.id, row]));
    for (const row of many.slice(0, 500)) rows.set(row.id, { ...row, priceMicro: (row.priceMicro ?? 5) + 1 });
    const listed = [...rows.values()].filter(({ listed: is }) => is);
    const searches = fc.sample(
      fc.record({
        filters,
        sort: fc.constantFrom(...offerSorts),
        start: fc.constantFrom(0, 0, 49, 1_000, 2_900),
        limit: fc.constantFrom(1, 50, 1_000),
      }),
      { numRuns: 300, seed: 11 },
    );
    for (const search of searches) {
      const given = { ...search, rate };
      expect(index.search(given, NOW)).toEqual(searchOneByOne(listed, given));
    }
  });
});
