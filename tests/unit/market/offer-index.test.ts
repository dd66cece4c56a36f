import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchFilters } from "@/lib/contract/offer";
import { offerSorts } from "@/lib/contract/words";
import { newId } from "@/lib/kernel/ids";
import { makeHistogram } from "@/lib/market/histogram";
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
/** More than the sets of regions can tell apart. */
const region = fc.constantFrom(
  null,
  "Europe",
  "Asia",
  ...Array.from({ length: 150 }, (_, i) => `Region ${i}`),
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
  region,
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
      location: fc.array(
        fc.oneof(
          fc.constantFrom("BERLIN", "singapore", "Europe", "City 3", "nowhere"),
          region.map((name) => name ?? "asia"),
        ),
        { minLength: 1, maxLength: 90 },
      ),
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

const gpuNames = Array.from({ length: 200 }, (_, i) => ({
  translitName: `gpu-${i}`,
  name: `GPU ${i}`,
  vramGb: i,
}));

/** Of each filter the numbers of section "facets", from the offers that meet all others. */
function countOneByOne(rows: readonly OfferFacts[], given: SearchFilters) {
  const shown = rows.filter((row) => row.unavailableSince === null || row.unavailableSince > NOW - DAY_MS);
  const all = shown.filter((row) => meets(row, given));
  const but = (...names: string[]) => {
    if (!names.some((name) => name in given)) return all;
    const others = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
    return shown.filter((row) => meets(row, others));
  };
  const ranges = Object.entries(facts).map(([name, key]) => {
    const values = but(`${name}_gt`, `${name}_lt`).map((row) =>
      name === "price" ? usd(row.priceMicro) : row[key],
    );
    const known = values.filter((value) => value !== null).sort((a, b) => a - b);
    const spread = {
      min: known[0] ?? null,
      max: known.at(-1) ?? null,
      unknown: values.length - known.length,
    };
    return [name, { ...spread, buckets: makeHistogram(known.map((value) => [value, 1])) }];
  });
  const yesNo = (name: "in_stock" | "rentable", key: "inStock" | "rentable") => {
    const found = but(name);
    const yes = found.filter((row) => row[key]).length;
    return { yes, no: found.length - yes };
  };
  const [near, ofAnyGpu] = [but("location"), but("gpu_translit_name")];
  return {
    total_items: but().length,
    gpus: gpuNames.flatMap(({ translitName, name, vramGb }) => {
      const found = ofAnyGpu.filter(({ gpu: of }) => of === translitName);
      const prices = found.flatMap((row) =>
        row.rentable && row.priceMicro !== null ? [row.priceMicro / Math.max(1, row.gpuAmount)] : [],
      );
      const best = prices.length > 0 ? usd(Math.round(Math.min(...prices))) : null;
      const rentable = found.filter((row) => row.rentable).length;
      const entry = { gpu_translit_name: translitName, gpu_name: name, vram: vramGb, count: found.length };
      return found.length > 0 ? [{ ...entry, rentable_count: rentable, best_price_per_gpu: best }] : [];
    }),
    providers: countWords(but("provider"), (row) => row.providerId),
    regions: countWords(near, (row) => row.region),
    countries: countWords(near, (row) => row.country),
    gpu_amounts: countWords(but("gpu_amount"), (row) => String(row.gpuAmount)),
    in_stock: yesNo("in_stock", "inStock"),
    rentable: yesNo("rentable", "rentable"),
    ranges: Object.fromEntries(ranges),
  };
}

const usd = (micro: number | null) => (micro === null ? null : micro / 1e6);

function countWords(rows: OfferFacts[], wordOf: (row: OfferFacts) => string | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const word = wordOf(row);
    if (word !== null) counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
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
    const many = fc
      .sample(offer, { numRuns: 16_000, seed: 7 })
      // Most of one value, some of each other, and every price another.
      .map((row, i) => ({ ...row, id: newId("offer"), gpuAmount: i % 5 === 0 ? row.gpuAmount : 2 }));
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
        filters: fc.oneof(filters, fc.constant({}), fc.constant({ score_gt: 20 })),
        sort: fc.constantFrom(...offerSorts),
        start: fc.constantFrom(0, 0, 49, 1_000, 4_200, 7_000),
        limit: fc.constantFrom(1, 50, 1_000),
      }),
      { numRuns: 250, seed: 11 },
    );
    for (const search of searches) {
      const given = { ...search, rate };
      expect(index.search(given, NOW)).toEqual(searchOneByOne(listed, given));
    }
  });

  it("IDX-03 counts facets among many thousands as looking at each offer does", () => {
    // A price that nobody can pay is no offer that anybody can rent.
    const sane = offer.map((row) => ({ ...row, rentable: row.rentable && row.priceMicro !== null }));
    const many = fc.sample(sane, { numRuns: 9_000, seed: 3 }).map((row, i) => ({
      ...row,
      id: newId("offer"),
      listed: true,
      providerId: i % 3 === 0 ? "a" : "b",
      // Values of each kind: few, thousands each some times, and each another.
      disk: i % 4_001,
      ethernetIn: i % 100 === 0 ? null : i / 7,
      memorySpeed: i,
      gpuAmount: i % 5 === 0 ? row.gpuAmount : 2,
    }));
    const index = new OfferIndex();
    index.setNames(providers, gpuNames);
    for (const row of many) index.put(row);
    for (const _ of index.rebin());
    for (const [i, row] of many.slice(0, 600).entries()) {
      if (i % 3 === 0) index.remove(row.id);
      else index.put(Object.assign(row, { disk: (row.disk ?? 0) + 0.5, capacity: null, region: "Asia" }));
    }
    const left = many.filter((_, i) => i >= 600 || i % 3 !== 0);
    const given = fc.sample(fc.oneof(filters, fc.constant({}), fc.constant({ score_gt: 2 })), {
      numRuns: 25,
      seed: 5,
    });
    for (const wanted of given) {
      const {
        locations,
        gpus,
        providers: by,
        gpu_amounts: amounts,
        ...facets
      } = index.countFacets({ filters: wanted, rate }, NOW);
      const { gpus: gpusWanted, ...expected } = countOneByOne(left, wanted);
      const counted = <T extends { count: number }>(entries: T[], nameOf: (entry: T) => string) =>
        Object.fromEntries(entries.map((entry) => [nameOf(entry), entry.count]));
      expect({
        ...facets,
        providers: counted(by, ({ translit_name: name }) => (name === "aa" ? "a" : name)),
        regions: counted(locations.regions, ({ name }) => name),
        countries: counted(locations.countries, ({ name }) => name),
        gpu_amounts: counted(amounts, ({ value }) => String(value)),
      }).toEqual(expected);
      expect(new Set(gpus)).toEqual(new Set(gpusWanted));
    }
  });

  it("IDX-04 knows more places than two bytes can number, also once it grows", () => {
    const [one] = fc.sample(offer, { numRuns: 1, seed: 1 }) as [OfferFacts];
    const index = new OfferIndex();
    index.setNames(providers, []);
    const put = (city: string) =>
      index.put({ ...one, id: newId("offer"), city, country: null, listed: true, unavailableSince: null });
    const towns = Array.from({ length: 140_000 }, (_, i) => `Town ${i % 70_000}`);
    for (const town of towns) put(town);
    for (const wanted of ["Town 0", "town 65534", "Town 65535", "town 65536", "Town 69999"]) {
      const filters = { location: [wanted] };
      expect(index.search({ filters, sort: "price_asc", start: 0, limit: 1, rate }, NOW).total).toBe(2);
      const { cities } = index.countFacets({ filters: {}, rate }, NOW).locations;
      expect(cities).toHaveLength(200);
      expect(new Set(cities.map(({ count }) => count))).toEqual(new Set([2]));
    }
  });
});
