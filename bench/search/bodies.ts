import { createSeededRandom, type SeededRandom } from "../../lib/catalogue/seeded-random";
import type { SearchFilters } from "../../lib/contract/offer";
import { offerSorts } from "../../lib/contract/words";
import type { IndexSearch } from "../../lib/market/index/offer-index";
import { gpuNames, whole } from "./offers";

export const BODIES = 200;
const LIMIT = 50;
/** Every so many bodies one asks for a later page. */
const LATER_EVERY = 10;
const MOST_FILTERS = 8;
const rate = { currency: "USD", unitsPerUsd: "1" } as const;

type FilterKind = (random: SeededRandom) => SearchFilters;

/** A broad one of each pair first. */
const filterKinds: readonly [FilterKind, ...FilterKind[]] = [
  (random) => ({ location: [random.pick(["europe", "asia", "Country 3", "City 17"])] }),
  (random) => ({ gpu_translit_name: Array.from({ length: 1 + whole(random, 6) }, () => pickGpu(random)) }),
  () => ({ rentable: true }),
  () => ({ in_stock: true }),
  (random) => ({ vram_gt: random.pick([7, 15, 23, 47]) }),
  (random) => ({ vram_gt: random.pick([7, 15, 23]), vram_lt: random.pick([49, 81, 200]) }),
  (random) => ({ ram_gt: random.pick([15, 63]) }),
  (random) => ({ price_lt: random.pick([0.2, 0.5, 1, 3]) }),
  (random) => ({ price_gt: random.pick([0.1, 0.25]), price_lt: random.pick([0.5, 1.25, 4]) }),
  (random) => ({ disk_gt: random.pick([200, 777, 2_000]) }),
  (random) => ({ gpu_amount: random.pick([1, 2, 4, 8]) }),
  (random) => ({ cpu_name: random.pick(["epyc", "xeon 1"]) }),
  (random) => ({ provider: `provider-${whole(random, 200)}` }),
  () => ({ ethernet_in_gt: 1_234 }),
  () => ({ ethernet_out_gt: 500 }),
  () => ({ memory_speed_gt: 1_000 }),
  () => ({ capacity_gt: 82.5 }),
  () => ({ cpu_cores_lt: 33 }),
  () => ({ cpu_freq_gt: 3.3 }),
  () => ({ score_gt: 42 }),
  () => ({ vcpu_gt: 7 }),
];

function pickGpu(random: SeededRandom): string {
  return random.pick(gpuNames as [string, ...string[]]);
}

/**
 * 200 bodies: one broad filter to eight narrow ones; half ordered by price and the rest by every other order in turn; some of
 * a later page. The same ones in every process.
 */
export function makeBodies(): IndexSearch[] {
  const random = createSeededRandom("bodies");
  return Array.from({ length: BODIES }, (_, i) => {
    const filters = makeFilters(random, 1 + (Math.floor(i / 2) % MOST_FILTERS));
    const sort = i % 2 ? "price_asc" : (offerSorts[(i / 2) % offerSorts.length] ?? "price_asc");
    return { filters, sort, start: i % LATER_EVERY === 7 ? LIMIT : 0, limit: LIMIT, rate };
  });
}

/** So many kinds of filters, no kind twice. */
function makeFilters(random: SeededRandom, kinds: number): SearchFilters {
  const left = [...filterKinds];
  const drawn = Array.from({ length: kinds }, () => left.splice(whole(random, left.length), 1)[0]);
  return Object.assign({}, ...drawn.map((make) => make?.(random))) as SearchFilters;
}

/** The same as `POST /v0/market/search` takes it. */
export function toRequestBody({ filters, sort, start, limit }: IndexSearch): string {
  return JSON.stringify({ query: filters, sort_by: sort, start, limit, currency: "USD" });
}
