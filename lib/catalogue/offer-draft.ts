import type { GpuModel } from "./gpu-models";

/** Who sells, as the catalogue says. `country` is a full English name; `url` is https. */
export type ProviderDraft = {
  translitName: string;
  name: string;
  country: string | null;
  url: string | null;
};

/**
 * An offer read from a catalogue or generated, before it has an id or a row.
 * `catalogueKey` is unique within one import and the same again in the next import of the same source.
 */
export type OfferDraft = {
  catalogueKey: string;
  provider: ProviderDraft;
  gpuTranslitName: string;
  /** GPUs in the offer, at least 1. */
  gpuAmount: number;
  /** GB a GPU, the model's own figure. */
  vramGb: number;
  ramGb: number | null;
  diskGb: number | null;
  cpuName: string | null;
  vcpu: number | null;
  cpuCores: number | null;
  cpuFreqGhz: number | null;
  /** GB/s of one GPU's memory. */
  memorySpeedGbps: number | null;
  ethernetInMbps: number | null;
  ethernetOutMbps: number | null;
  /** FP32 TFLOPS of all GPUs together. */
  capacityTflops: number | null;
  maxCudaVersion: number | null;
  city: string | null;
  country: string | null;
  region: string | null;
  url: string | null;
  /** USD an hour for the whole offer. */
  priceMicro: bigint;
  /** USD a GB and month of 720 hours. */
  diskPriceMicro: bigint | null;
  /** What the upstream calls itself, or the one it resells. */
  thirdPartyId: string | null;
  /** What the upstream calls this machine type. */
  cloudId: string | null;
  inStock: boolean;
  extra: Record<string, unknown>;
};

/** One row of a catalogue file: an offer, or why it was skipped. `line` counts from 1. */
export type CatalogueRow = { line: number; draft: OfferDraft } | { line: number; reason: string };

export const MOST_GPUS_AN_OFFER = 1024;

type Certain = "catalogueKey" | "provider" | "gpuAmount" | "priceMicro";
type FromModel = "gpuTranslitName" | "vramGb";

/** What a source knows of an offer besides its model; what is left out is unknown. */
export type KnownOffer = Pick<OfferDraft, Certain> & Partial<Omit<OfferDraft, Certain | FromModel>>;

/**
 * A draft of an offer of `known.gpuAmount` GPUs of the model, which also gives memory, bandwidth and TFLOPS.
 * Written field by field: with spreads a million drafts take 18 s instead of 1.
 */
export function createDraft(model: GpuModel, known: KnownOffer): OfferDraft {
  return {
    catalogueKey: known.catalogueKey,
    provider: known.provider,
    gpuTranslitName: model.translitName,
    gpuAmount: known.gpuAmount,
    vramGb: model.vramGb,
    ramGb: known.ramGb ?? null,
    diskGb: known.diskGb ?? null,
    cpuName: known.cpuName ?? null,
    vcpu: known.vcpu ?? null,
    cpuCores: known.cpuCores ?? null,
    cpuFreqGhz: known.cpuFreqGhz ?? null,
    memorySpeedGbps: known.memorySpeedGbps ?? model.memoryBandwidthGbps,
    ethernetInMbps: known.ethernetInMbps ?? null,
    ethernetOutMbps: known.ethernetOutMbps ?? null,
    capacityTflops: known.capacityTflops ?? Number((model.fp32Tflops * known.gpuAmount).toFixed(1)),
    maxCudaVersion: known.maxCudaVersion ?? null,
    city: known.city ?? null,
    country: known.country ?? null,
    region: known.region ?? null,
    url: known.url ?? null,
    priceMicro: known.priceMicro,
    diskPriceMicro: known.diskPriceMicro ?? null,
    thirdPartyId: known.thirdPartyId ?? null,
    cloudId: known.cloudId ?? null,
    inStock: known.inStock ?? true,
    extra: known.extra ?? {},
  };
}

/**
 * Makes keys unique within one import: rows that look the same become `key`, `key#2`, `key#3` in the order of the
 * file, so that the next import meets the same keys again as long as as many of them are there.
 */
export function createKeyNumbering(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return ordinal === 1 ? key : `${key}#${ordinal}`;
  };
}
