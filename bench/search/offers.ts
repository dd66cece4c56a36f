import { gpuModels } from "../../lib/catalogue/gpu-models";
import { createSeededRandom, type SeededRandom } from "../../lib/catalogue/seeded-random";
import type { OfferFacts, ProviderNames } from "../../lib/market/index/offer-facts";

/** The share of offers that do not say a fact which need not be known. */
const UNKNOWN = 0.01;
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export const gpuNames = gpuModels.map(({ translitName }) => translitName);
export const regions = ["Europe", "Asia", "North America", "South America", "Africa", "Oceania"] as const;
export const cpuNames = Array.from({ length: 60 }, (_, i) => (i % 2 ? `AMD EPYC 7${i}` : `Intel Xeon ${i}`));
const cities = Array.from({ length: 400 }, (_, i) => `City ${i}`);

export const providers: readonly ProviderNames[] = Array.from({ length: 200 }, (_, i) => ({
  id: `prov_bench${i}`,
  name: `Provider ${i}`,
  translitName: `provider-${i}`,
  isThirdParty: true,
}));

export function findProviderId(translitName: string): string {
  return providers.find((provider) => provider.translitName === translitName)?.id ?? "";
}

export const whole = (random: SeededRandom, below: number) => Math.floor(random.unit() * below);

/** A random market of `size` offers, one at a time; the same size gives the same market in every process. */
export function* makeOffers(size: number): Generator<OfferFacts> {
  const random = createSeededRandom(`offers ${size}`);
  for (let i = 0; i < size; i += 1) yield makeOffer(random);
}

function makeOffer(random: SeededRandom): OfferFacts {
  const maybe = <T>(value: T) => (random.chance(UNKNOWN) ? null : value);
  const city = whole(random, cities.length);
  const gpuAmount = random.pick([1, 1, 1, 2, 4, 8]);
  const priceMicro = Math.round(gpuAmount * 50_000 * Math.exp(random.unit() * 4));
  const isPriced = !random.chance(0.02);
  const inStock = random.chance(0.8);
  const isPlaced = !random.chance(UNKNOWN);
  return {
    id: makeId(random),
    providerId: `prov_bench${whole(random, providers.length)}`,
    gpu: maybe(gpuNames[Math.floor(random.unit() ** 2 * gpuNames.length)] ?? null),
    gpuAmount,
    priceMicro: isPriced ? priceMicro : null,
    score: whole(random, 101),
    vram: maybe(random.pick([8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 80, 94, 141, 180, 288])),
    ram: maybe(2 ** (3 + whole(random, 8))),
    disk: maybe(100 + whole(random, 4_000)),
    vcpu: maybe(2 ** (1 + whole(random, 7))),
    cpuCores: maybe(2 ** (1 + whole(random, 6))),
    cpuFreq: maybe(Math.round((2 + random.unit() * 3) * 100) / 100),
    memorySpeed: maybe(300 + whole(random, 5_000)),
    ethernetIn: maybe(whole(random, 10_000)),
    ethernetOut: maybe(whole(random, 10_000)),
    capacity: maybe((whole(random, 1_000) * gpuAmount) / 10),
    cpuName: maybe(random.pick(cpuNames as [string, ...string[]])),
    city: isPlaced ? (cities[city] ?? null) : null,
    country: isPlaced ? `Country ${city % 60}` : null,
    region: isPlaced ? (regions[city % regions.length] ?? null) : null,
    inStock,
    rentable: isPriced && inStock && random.chance(0.9),
    listed: true,
    unavailableSince: null,
  };
}

/** As `newId` makes them, but the same ones each time: five letters from each draw. */
function makeId(random: SeededRandom): string {
  let id = "offer_";
  for (let drawn = 0; drawn < 4; drawn += 1) {
    let left = whole(random, LETTERS.length ** 5);
    for (let i = 0; i < 5; i += 1) {
      id += LETTERS[left % LETTERS.length];
      left = Math.floor(left / LETTERS.length);
    }
  }
  return id;
}
