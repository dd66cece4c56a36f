import { type City, type Cpu, cities, desktopCpus, graceCpu, RENTAL, serverCpus } from "./demo-market";
import { type DemoProvider, demoProviders } from "./demo-providers";
import { type GpuModel, gpuModels } from "./gpu-models";
import { createDraft, type OfferDraft } from "./offer-draft";
import { findCountry } from "./places";
import { createSeededRandom, type SeededRandom, type Weighted, weighted } from "./seeded-random";

/** `offers` how many; the same `seed` gives the same offers; `providers` default to the demo's. */
export type GenerateOptions = {
  offers: number;
  seed: number | string;
  providers?: readonly DemoProvider[];
};

type PlacedCity = City & { country: string; region: string };

/** A provider's part of the market, prepared once. */
type Stand = {
  provider: OfferDraft["provider"];
  market: DemoProvider["market"];
  models: Weighted<GpuModel>;
  places: Weighted<PlacedCity>;
};

const placedCities: PlacedCity[] = cities.flatMap((city) => {
  const place = findCountry(city.code);
  return place ? [{ ...city, ...place }] : [];
});

const COUNTS: Record<GpuModel["segment"], Weighted<number>> = {
  consumer: weighted([
    [1, 46],
    [2, 22],
    [3, 3],
    [4, 16],
    [5, 1],
    [6, 2],
    [8, 10],
  ]),
  workstation: weighted([
    [1, 50],
    [2, 22],
    [4, 18],
    [8, 10],
  ]),
  "data-center": weighted([
    [1, 38],
    [2, 20],
    [4, 18],
    [8, 24],
  ]),
};
const MODULE_COUNTS: Weighted<number> = weighted([
  [1, 28],
  [2, 14],
  [4, 16],
  [8, 42],
]);
const DISK_SIZES = [128, 256, 400, 512, 800, 1000, 1600, 2000, 3200, 4000, 7680, 15360];
const LINK_MBPS: Record<GpuModel["segment"], readonly [number, ...number[]]> = {
  consumer: [100, 250, 500, 1000, 1000, 2500],
  workstation: [500, 1000, 1000, 2500, 10000],
  "data-center": [1000, 10000, 10000, 25000, 40000],
};

function openStand(provider: DemoProvider): Stand {
  const { market } = provider;
  const models = gpuModels.flatMap((model) => {
    const [weight = 0] = RENTAL[model.translitName] ?? [];
    const sold = market.segments.includes(model.segment);
    const liking = market.vendor === null ? 1 : market.vendor === model.vendor ? 10 : 0.2;
    return sold && weight > 0 ? [[model, weight * liking] as const] : [];
  });
  const places = placedCities
    .filter((city) => market.regions.includes(city.region))
    .map((city) => [city, city.country === provider.country ? 4 : 1] as const);
  const { translitName, name, country, url } = provider;
  return {
    provider: { translitName, name, country, url },
    market,
    models: weighted(models),
    places: weighted(places),
  };
}

function gpuAmountOf(model: GpuModel, random: SeededRandom): number {
  if (model.interface.startsWith("Grace")) return 1;
  return random.draw(/^(SXM|OAM)/.test(model.interface) ? MODULE_COUNTS : COUNTS[model.segment]);
}

function cpuOf(model: GpuModel, gpuAmount: number, random: SeededRandom): Cpu {
  if (model.interface.startsWith("Grace")) return graceCpu;
  const isDesktop = model.segment === "consumer" && gpuAmount <= 2 && random.chance(0.6);
  return random.pick(isDesktop ? desktopCpus : serverCpus);
}

/** A tenth of a cent is the finest step that people price in. */
function inMicro(usd: number): bigint {
  return BigInt(Math.max(1, Math.round(usd * 1000))) * 1000n;
}

function priceOf(model: GpuModel, gpuAmount: number, stand: Stand, city: City, random: SeededRandom): bigint {
  const [, usdAnHour = 1] = RENTAL[model.translitName] ?? [];
  const together = 1 - 0.015 * Math.log2(gpuAmount);
  const mood = Math.exp(0.13 * random.bell());
  return inMicro(usdAnHour * gpuAmount * together * stand.market.priceFactor * city.priceFactor * mood);
}

function maxCudaOf(model: GpuModel, random: SeededRandom): number | null {
  if (model.cudaCapability === null) return null;
  const capability = Number(model.cudaCapability);
  // CUDA 13 dropped Pascal and Volta; Blackwell needs 12.8.
  if (capability < 7.5) return random.pick([12.2, 12.4, 12.6, 12.8]);
  return capability >= 10 ? random.pick([12.8, 12.9, 13]) : random.pick([12.2, 12.4, 12.6, 12.8, 12.8, 13]);
}

function machineOf(model: GpuModel, gpuAmount: number, random: SeededRandom) {
  const cpu = cpuOf(model, gpuAmount, random);
  const sockets = gpuAmount >= 8 && cpu !== graceCpu ? 2 : 1;
  const isWhole = gpuAmount >= 4 || random.chance(0.4);
  const share = isWhole || cpu === graceCpu ? 1 : gpuAmount / 4;
  const ramSteps = Math.round((model.vramGb * gpuAmount * random.between(1, 2.4)) / 16);
  const diskAt =
    random.between(0, 6) + Math.min(5, Math.log2(gpuAmount) + (model.segment === "data-center" ? 2 : 0));
  const link = random.pick(LINK_MBPS[model.segment]);
  return {
    ramGb: Math.min(4096, Math.max(16, ramSteps * 16)),
    diskGb: DISK_SIZES[Math.floor(diskAt)] ?? 4000,
    cpuName: cpu.name,
    vcpu: Math.max(4, Math.round(cpu.threads * sockets * share)),
    cpuCores: Math.max(2, Math.round(cpu.cores * sockets * share)),
    cpuFreqGhz: cpu.ghz,
    ethernetInMbps: Math.round(link * random.between(0.7, 1)),
    ethernetOutMbps: Math.round(link * random.between(0.4, 0.95)),
    maxCudaVersion: maxCudaOf(model, random),
  };
}

function draftOf(index: number, stand: Stand, random: SeededRandom): OfferDraft {
  const model = random.draw(stand.models);
  const city = random.draw(stand.places);
  const gpuAmount = gpuAmountOf(model, random);
  const machine = machineOf(model, gpuAmount, random);
  return createDraft(model, {
    catalogueKey: `offer-${index + 1}`,
    provider: stand.provider,
    gpuAmount,
    ramGb: machine.ramGb,
    diskGb: machine.diskGb,
    cpuName: machine.cpuName,
    vcpu: machine.vcpu,
    cpuCores: machine.cpuCores,
    cpuFreqGhz: machine.cpuFreqGhz,
    ethernetInMbps: machine.ethernetInMbps,
    ethernetOutMbps: machine.ethernetOutMbps,
    maxCudaVersion: machine.maxCudaVersion,
    city: city.name,
    country: city.country,
    region: city.region,
    url: stand.provider.url,
    priceMicro: priceOf(model, gpuAmount, stand, city, random),
    diskPriceMicro: inMicro(random.between(0.03, 0.16) * stand.market.priceFactor),
    inStock: random.chance(stand.market.inStockShare),
    extra: { generated: true },
  });
}

/**
 * A plausible market of any size, one draft at a time. Reproducible: the same seed and providers give the same
 * offers, and a longer run begins with the offers of a shorter one. Throws on a provider that could offer nothing.
 */
export function* generateOffers(options: GenerateOptions): Generator<OfferDraft> {
  const providers = options.providers ?? demoProviders;
  const random = createSeededRandom(String(options.seed));
  const stands = weighted(providers.map((provider) => [openStand(provider), provider.market.share] as const));
  for (let index = 0; index < options.offers; index += 1) yield draftOf(index, random.draw(stands), random);
}
