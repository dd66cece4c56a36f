import type { z } from "zod";
import { hourlyPriceMicro } from "../billing/prices";
import { type ReservePeriod, reservePeriods } from "../billing/reserve-periods";
import type { fullOffer, marketOffer } from "../contract/offer";
import type { savedSearch } from "../contract/saved-search";
import { convertMicro, divideHalfUp, microToNumber, type Rate } from "../kernel/money";
import type { SavedSearchRow } from "./create-saved-search";
import type { OfferView } from "./offer-view";

type MarketOffer = z.output<typeof marketOffer>;
type SavedSearch = z.output<typeof savedSearch>;
type FullOffer = z.output<typeof fullOffer>;

/** How many live offers of the same GPU there are, and in how many countries. */
export interface GpuCounts {
  offers: number;
  countries: number;
}

/** Section 2.4, with the additions. */
export function presentMarketOffer(offer: OfferView, rate: Rate): MarketOffer {
  return {
    ...presentFacts(offer, rate),
    provider_translit_name: offer.provider.translitName,
    simulated: offer.runtime === "simulated",
    score: offer.score,
    host_verified: offer.hostVerified,
    updated_at: offer.updatedAt,
  };
}

export function presentSavedSearch(row: SavedSearchRow): SavedSearch {
  const { id, name, search, createdAt } = row;
  return { id, name, search: search as SavedSearch["search"], created_at: createdAt.toISOString() };
}

/** Section 2.5. */
export function presentFullOffer(
  offer: OfferView,
  rate: Rate,
  counts: GpuCounts = { offers: 0, countries: 0 },
): FullOffer {
  const { provider } = offer;
  return {
    ...presentFacts(offer, rate),
    provider: {
      id: provider.id,
      name: provider.name,
      translit_name: provider.translitName,
      country: provider.country,
      logo: provider.logo,
      meta_title: provider.metaTitle,
      meta_description: provider.metaDescription,
      use_vpn: provider.useVpn,
    },
    extra: presentExtra(offer),
    offers_amount: counts.offers,
    countries_amount: counts.countries,
    available_until: offer.availableUntil,
    real_price: toPrice(offer.priceMicro, rate),
    disk_real_price: toPrice(offer.diskPriceMicro, rate),
  };
}

function presentExtra({ extra, runtime }: OfferView): FullOffer["extra"] {
  const stored = extra !== null && typeof extra === "object" && !Array.isArray(extra) ? extra : {};
  const known = Object.entries(stored).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(known) as FullOffer["extra"]), simulated: runtime === "simulated" };
}

function presentFacts(offer: OfferView, rate: Rate) {
  const { prices, disk_prices } = presentPriced(offer, rate);
  return {
    id: offer.id,
    gpu_amount: offer.gpuAmount,
    gpu_name: offer.gpuName,
    gpu_translit_name: offer.gpuTranslitName,
    vram: offer.vramGb,
    configuration: {
      ram: { amount: offer.ramGb, unit: "gb" as const },
      disk: { amount: offer.diskGb, unit: "gb" as const },
      cpu_name: offer.cpuName,
      vcpu: offer.vcpu,
      cpu_cores: offer.cpuCores,
      cpu_freq: offer.cpuFreqGhz,
      memory_speed: offer.memorySpeedGbps,
      ethernet_in: offer.ethernetInMbps,
      ethernet_out: offer.ethernetOutMbps,
      capacity: offer.capacityTflops,
      max_cuda_version: offer.maxCudaVersion,
    },
    in_stock: offer.inStock,
    rentable: offer.rentable,
    prices,
    location: { city: offer.city, country: offer.country, region: offer.region },
    url: offer.url,
    is_third_party: offer.isThirdParty,
    disk_prices,
  };
}

/** What of an offer's answer depends on the rate. */
export function presentPriced(
  offer: Pick<OfferView, "priceMicro" | "diskPriceMicro" | "gpuAmount">,
  rate: Rate,
): Pick<MarketOffer, "prices" | "disk_prices"> {
  const disk = toPrice(offer.diskPriceMicro, rate);
  return {
    prices: presentPrices(offer, rate),
    disk_prices: disk === null ? [] : [{ currency: rate.currency, period: "month", unit: "gb", price: disk }],
  };
}

function presentPrices(
  { priceMicro, gpuAmount }: Pick<OfferView, "priceMicro" | "gpuAmount">,
  rate: Rate,
): MarketOffer["prices"] {
  if (priceMicro === null) return [];
  const periods = Object.keys(reservePeriods) as ReservePeriod[];
  return periods.map((period) => {
    const shown = convertMicro(hourlyPriceMicro(BigInt(priceMicro), period), rate);
    return {
      currency: rate.currency,
      period,
      price: microToNumber(shown),
      price_per_gpu: microToNumber(divideHalfUp(shown, BigInt(Math.max(1, gpuAmount)))),
      discount: reservePeriods[period].discountPercent,
    };
  });
}

function toPrice(micro: string | null, rate: Rate): number | null {
  return micro === null ? null : microToNumber(convertMicro(BigInt(micro), rate));
}
