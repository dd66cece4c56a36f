// `npm run bench:search`: the search in memory beside a plain scan of the same facts, at 10,000, 100,000 and 1,000,000 offers, with 200 bodies from one
// broad filter to eight narrow ones and every sort. Both give the same answers, or nothing is timed.
import { cpus } from "node:os";
import { createSeededRandom, type SeededRandom } from "../lib/catalogue/seeded-random";
import type { SearchFilters } from "../lib/contract/offer";
import { offerSorts } from "../lib/contract/words";
import { newId } from "../lib/kernel/ids";
import type { OfferFacts } from "../lib/market/index/offer-facts";
import { type IndexSearch, OfferIndex } from "../lib/market/index/offer-index";

const SIZES = [10_000, 100_000, 1_000_000];
const BODIES = 200;
const ROUNDS = 3;
const rate = { currency: "USD", unitsPerUsd: "1" } as const;

const gpus = Array.from({ length: 95 }, (_, i) => `gpu-${i}`);
const cities = Array.from({ length: 400 }, (_, i) => `City ${i}`);
const regions = ["Europe", "Asia", "North America", "South America", "Africa", "Oceania"] as const;
const cpuNames = Array.from({ length: 60 }, (_, i) => (i % 2 ? `AMD EPYC 7${i}` : `Intel Xeon ${i}`));

const whole = (random: SeededRandom, most: number) => Math.floor(random.unit() * most);

function makeOffer(random: SeededRandom): OfferFacts {
  const city = whole(random, cities.length);
  const gpuAmount = random.pick([1, 1, 1, 2, 4, 8]);
  return {
    id: newId("offer"),
    providerId: `prov-${whole(random, 200)}`,
    gpu: gpus[Math.floor(random.unit() ** 2 * gpus.length)] ?? null,
    gpuAmount,
    priceMicro: random.chance(0.02) ? null : Math.round(gpuAmount * 50_000 * Math.exp(random.unit() * 4)),
    score: whole(random, 101),
    vram: random.pick([8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 80, 94, 141, 180, 288]),
    ram: 2 ** (3 + whole(random, 8)),
    disk: 100 + whole(random, 4_000),
    vcpu: 2 ** (1 + whole(random, 7)),
    cpuCores: 2 ** (1 + whole(random, 6)),
    cpuFreq: Math.round((2 + random.unit() * 3) * 100) / 100,
    memorySpeed: 300 + whole(random, 5_000),
    ethernetIn: whole(random, 10_000),
    ethernetOut: whole(random, 10_000),
    capacity: (whole(random, 1_000) / 10) * gpuAmount,
    cpuName: random.pick(cpuNames as [string, ...string[]]),
    city: cities[city] ?? null,
    country: `Country ${city % 60}`,
    region: regions[city % regions.length] ?? null,
    inStock: random.chance(0.8),
    rentable: random.chance(0.7),
    listed: true,
    unavailableSince: null,
  };
}

const filterKinds: readonly [
  (random: SeededRandom) => SearchFilters,
  ...((random: SeededRandom) => SearchFilters)[],
] = [
  (random) => ({ location: [random.pick(["europe", "asia", "Country 3", "City 17"])] }),
  (random) => ({ gpu_translit_name: [random.pick(["gpu-1", "gpu-7", "gpu-40"]), "gpu-3"] }),
  () => ({ rentable: true }),
  () => ({ in_stock: true }),
  (random) => ({ vram_gt: random.pick([7, 15, 23, 47]) }),
  (random) => ({ ram_gt: random.pick([15, 63]) }),
  (random) => ({ price_lt: random.pick([0.2, 0.5, 1, 3]) }),
  (random) => ({ disk_gt: random.pick([200, 777, 2_000]) }),
  (random) => ({ gpu_amount: random.pick([1, 2, 4, 8]) }),
  (random) => ({ cpu_name: random.pick(["epyc", "xeon 1"]) }),
  () => ({ ethernet_in_gt: 1_234 }),
  () => ({ cpu_freq_gt: 3.3 }),
  () => ({ score_gt: 42 }),
  () => ({ vcpu_gt: 7 }),
];

function makeBodies(random: SeededRandom): IndexSearch[] {
  return Array.from({ length: BODIES }, (_, i) => {
    const kinds = Array.from({ length: 1 + (i % 8) }, () => random.pick(filterKinds));
    const filters = Object.assign({}, ...kinds.map((make) => make(random))) as SearchFilters;
    const sort = i % 2 ? "price_asc" : (offerSorts[i % offerSorts.length] ?? "price_asc");
    return { filters, sort, start: 0, limit: 50, rate };
  });
}

/** Every fact in a typed array, and one loop over all rows: what the index has to beat. */
class PlainScan {
  readonly #columns: Record<string, Float64Array>;
  readonly #ids: string[];
  readonly #words: Record<"gpu" | "cpuName" | "city" | "country" | "region", (string | null)[]>;

  constructor(offers: readonly OfferFacts[]) {
    const column = (of: (offer: OfferFacts) => number | null) =>
      Float64Array.from(offers, (offer) => of(offer) ?? Number.NaN);
    this.#ids = offers.map(({ id }) => id);
    this.#columns = {
      price: column(({ priceMicro }) => priceMicro),
      score: column(({ score }) => score),
      vram: column(({ vram }) => vram),
      ram: column(({ ram }) => ram),
      disk: column(({ disk }) => disk),
      vcpu: column(({ vcpu }) => vcpu),
      cpu_cores: column(({ cpuCores }) => cpuCores),
      cpu_freq: column(({ cpuFreq }) => cpuFreq),
      memory_speed: column(({ memorySpeed }) => memorySpeed),
      ethernet_in: column(({ ethernetIn }) => ethernetIn),
      ethernet_out: column(({ ethernetOut }) => ethernetOut),
      capacity: column(({ capacity }) => capacity),
      gpu_amount: column(({ gpuAmount }) => gpuAmount),
      price_per_gpu: column(({ priceMicro, gpuAmount }) => priceMicro && priceMicro / gpuAmount),
      in_stock: column(({ inStock }) => Number(inStock)),
      rentable: column(({ rentable }) => Number(rentable)),
    };
    const words = (of: (offer: OfferFacts) => string | null) =>
      offers.map((offer) => of(offer)?.toLowerCase() ?? null);
    this.#words = {
      gpu: words(({ gpu }) => gpu),
      cpuName: words(({ cpuName }) => cpuName),
      city: words(({ city }) => city),
      country: words(({ country }) => country),
      region: words(({ region }) => region),
    };
  }

  search({ filters, sort, limit }: IndexSearch): { ids: string[]; total: number } {
    const tests = Object.entries(filters).map(([name, wish]) => this.#test(name, wish));
    const found: number[] = [];
    rows: for (let row = 0; row < this.#ids.length; row += 1) {
      for (const test of tests) if (!test(row)) continue rows;
      found.push(row);
    }
    const values = this.#columns[sort.slice(0, sort.lastIndexOf("_"))] as Float64Array;
    const sign = sort.endsWith("_desc") ? -1 : 1;
    const ids = this.#ids;
    const before = (a: number, b: number) => {
      const [x, y] = [values[a] as number, values[b] as number];
      const known = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
      return (
        known ||
        (x === y || Number.isNaN(x) ? ((ids[a] as string) < (ids[b] as string) ? -1 : 1) : sign * (x - y))
      );
    };
    const top: number[] = [];
    for (const row of found) {
      if (top.length === limit && before(row, top[limit - 1] as number) > 0) continue;
      let at = top.length;
      while (at > 0 && before(row, top[at - 1] as number) < 0) at -= 1;
      top.splice(at, 0, row);
      if (top.length > limit) top.pop();
    }
    return { ids: top.map((row) => ids[row] as string), total: found.length };
  }

  #test(name: string, wish: unknown): (row: number) => boolean {
    const { gpu, cpuName, city, country, region } = this.#words;
    if (name === "location") {
      const places = new Set((wish as string[]).map((place) => place.toLowerCase()));
      return (row) =>
        places.has(city[row] ?? "") || places.has(country[row] ?? "") || places.has(region[row] ?? "");
    }
    if (name === "gpu_translit_name") {
      const wanted = new Set(wish as string[]);
      return (row) => wanted.has(gpu[row] ?? "");
    }
    if (name === "cpu_name") return (row) => cpuName[row]?.includes(String(wish)) ?? false;
    const [, fact = name, side] = /^(\w+)_(gt|lt)$/.exec(name) ?? [];
    const column = this.#columns[fact] as Float64Array;
    const bound = fact === "price" ? Math.round(Number(wish) * 1e6) : Number(wish);
    if (side === "gt") return (row) => (column[row] as number) > bound;
    if (side === "lt") return (row) => (column[row] as number) < bound;
    return (row) => column[row] === bound;
  }
}

function time(bodies: readonly IndexSearch[], search: (body: IndexSearch) => unknown): string {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const body of bodies) {
      const began = performance.now();
      search(body);
      if (round > 0) taken.push(performance.now() - began);
    }
  }
  taken.sort((a, b) => a - b);
  const at = (part: number) => (taken[Math.floor(taken.length * part)] ?? 0).toFixed(3).padStart(9);
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)} ms`;
}

process.stdout.write(
  `${cpus().length} cores, Node ${process.version}, ${BODIES} bodies, top 50 and the exact total\n`,
);
for (const size of SIZES) {
  const random = createSeededRandom(`search ${size}`);
  const offers = Array.from({ length: size }, () => makeOffer(random));
  const bodies = makeBodies(random);
  const index = new OfferIndex();
  const began = performance.now();
  for (const offer of offers) index.put(offer);
  for (const _ of index.rebin());
  const built = performance.now() - began;
  const scan = new PlainScan(offers);
  for (const body of bodies.slice(0, size > 100_000 ? 20 : BODIES)) {
    const [ours, plain] = [index.search(body, 0), scan.search(body)];
    if (JSON.stringify(ours) !== JSON.stringify(plain))
      throw new Error(`they differ: ${JSON.stringify(body)}`);
  }
  process.stdout.write(`\n${size.toLocaleString("en")} offers, read in ${(built / 1000).toFixed(1)} s\n`);
  process.stdout.write(`  search, index       ${time(bodies, (body) => index.search(body, 0))}\n`);
  process.stdout.write(`  search, plain scan  ${time(bodies, (body) => scan.search(body))}\n`);
  process.stdout.write(`  facets, index       ${time(bodies, (body) => index.countFacets(body, 0))}\n`);
}
