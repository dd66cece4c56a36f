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

type ModelFacts = Pick<OfferDraft, "gpuTranslitName" | "vramGb" | "memorySpeedGbps" | "capacityTflops">;

/** What an offer of `gpuAmount` GPUs takes from its model. */
export function modelFacts(model: GpuModel, gpuAmount: number): ModelFacts {
  return {
    gpuTranslitName: model.translitName,
    vramGb: model.vramGb,
    memorySpeedGbps: model.memoryBandwidthGbps,
    capacityTflops: Number((model.fp32Tflops * gpuAmount).toFixed(1)),
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
