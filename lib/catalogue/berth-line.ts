import { z } from "zod";
import { findGpuModel, type GpuModel } from "./gpu-models";
import { resolveGpuModel } from "./gpu-names";
import { createDraft, type KnownOffer, MOST_GPUS_AN_OFFER, type OfferDraft } from "./offer-draft";
import { parseDecimal, parsePriceMicro } from "./parse-decimal";
import { isPlainText } from "./text-input";

const LARGEST_EXTRA = 16_384;

function text(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine((value) => isPlainText(value, most), "has control characters");
}
const amount = z.number().nonnegative().max(1e12).nullish();
const usd = z.union([z.string().max(60), z.number()]).transform(String);
const httpsUrl = z
  .url({ protocol: /^https$/ })
  .max(2048)
  .nullish();

const lineSchema = z.object({
  catalogue_key: text(512),
  provider: z.object({
    translit_name: z
      .string()
      .max(60)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens"),
    name: text(120),
    country: text(100).nullish(),
    url: httpsUrl,
  }),
  gpu_translit_name: text(120).nullish(),
  gpu_name: text(120).nullish(),
  socket: text(20).nullish(),
  gpu_amount: z.int().min(1).max(MOST_GPUS_AN_OFFER),
  vram_gb: z.number().positive().nullish(),
  ram_gb: amount,
  disk_gb: amount,
  cpu_name: text(120).nullish(),
  vcpu: amount,
  cpu_cores: amount,
  cpu_freq_ghz: amount,
  memory_speed_gbps: amount,
  ethernet_in_mbps: amount,
  ethernet_out_mbps: amount,
  capacity_tflops: amount,
  max_cuda_version: amount,
  city: text(100).nullish(),
  country: text(100).nullish(),
  region: text(100).nullish(),
  url: httpsUrl,
  price_usd_per_hour: usd,
  disk_price_usd_per_gb_month: usd.nullish(),
  third_party_id: text(200).nullish(),
  cloud_id: text(200).nullish(),
  in_stock: z.boolean().nullish(),
  extra: z
    .record(z.string(), z.unknown())
    .refine((extra) => JSON.stringify(extra).length <= LARGEST_EXTRA, "is larger than 16 KiB")
    .nullish(),
});

type BerthLine = z.output<typeof lineSchema>;

function modelOf(row: BerthLine): GpuModel | { reason: string } {
  const claim = { vramGb: row.vram_gb ?? null, socket: row.socket ?? null };
  if (row.gpu_translit_name == null) {
    if (row.gpu_name == null) return { reason: "gpu_translit_name or gpu_name must be given" };
    return resolveGpuModel({ name: row.gpu_name, ...claim });
  }
  const model = findGpuModel(row.gpu_translit_name);
  if (!model) return { reason: "gpu_translit_name is not a model of the catalogue" };
  return claim.vramGb === null && claim.socket === null
    ? model
    : resolveGpuModel({ name: model.translitName, ...claim });
}

function knownOf(row: BerthLine, priceMicro: bigint, diskPriceMicro: bigint | null): KnownOffer {
  return {
    catalogueKey: row.catalogue_key,
    provider: {
      translitName: row.provider.translit_name,
      name: row.provider.name,
      country: row.provider.country ?? null,
      url: row.provider.url ?? null,
    },
    gpuAmount: row.gpu_amount,
    ramGb: row.ram_gb ?? null,
    diskGb: row.disk_gb ?? null,
    cpuName: row.cpu_name ?? null,
    vcpu: row.vcpu ?? null,
    cpuCores: row.cpu_cores ?? null,
    cpuFreqGhz: row.cpu_freq_ghz ?? null,
    memorySpeedGbps: row.memory_speed_gbps ?? null,
    ethernetInMbps: row.ethernet_in_mbps ?? null,
    ethernetOutMbps: row.ethernet_out_mbps ?? null,
    capacityTflops: row.capacity_tflops ?? null,
    maxCudaVersion: row.max_cuda_version ?? null,
    city: row.city ?? null,
    country: row.country ?? null,
    region: row.region ?? null,
    url: row.url ?? null,
    priceMicro,
    diskPriceMicro,
    thirdPartyId: row.third_party_id ?? null,
    cloudId: row.cloud_id ?? null,
    inStock: row.in_stock ?? true,
    extra: row.extra ?? {},
  };
}

/** A draft from one parsed line of Berth's own format (docs/catalogue-format.md), or why it cannot be one. */
export function readBerthLine(value: unknown): OfferDraft | { reason: string } {
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      reason: `${issue?.path.join(".") || "the line"} is missing or unusable: ${issue?.message ?? ""}`,
    };
  }
  const row = parsed.data;
  const priceMicro = parsePriceMicro(row.price_usd_per_hour);
  if (priceMicro === null) return { reason: "price_usd_per_hour is not an amount above 0 and at most 10000" };
  const diskText = row.disk_price_usd_per_gb_month;
  const diskPriceMicro = diskText == null ? null : parseDecimal(diskText, 6);
  if (diskText != null && (diskPriceMicro === null || diskPriceMicro > 1_000_000_000n))
    return { reason: "disk_price_usd_per_gb_month is not an amount from 0 to 1000" };
  const model = modelOf(row);
  if ("reason" in model) return model;
  return createDraft(model, knownOf(row, priceMicro, diskPriceMicro));
}

function usdText(micro: bigint): string {
  return `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, "0")}`;
}

/** The same draft as one line of Berth's own format, without the line end. */
export function writeBerthLine(draft: OfferDraft): string {
  return JSON.stringify({
    catalogue_key: draft.catalogueKey,
    provider: {
      translit_name: draft.provider.translitName,
      name: draft.provider.name,
      country: draft.provider.country,
      url: draft.provider.url,
    },
    gpu_translit_name: draft.gpuTranslitName,
    gpu_amount: draft.gpuAmount,
    vram_gb: draft.vramGb,
    ram_gb: draft.ramGb,
    disk_gb: draft.diskGb,
    cpu_name: draft.cpuName,
    vcpu: draft.vcpu,
    cpu_cores: draft.cpuCores,
    cpu_freq_ghz: draft.cpuFreqGhz,
    memory_speed_gbps: draft.memorySpeedGbps,
    ethernet_in_mbps: draft.ethernetInMbps,
    ethernet_out_mbps: draft.ethernetOutMbps,
    capacity_tflops: draft.capacityTflops,
    max_cuda_version: draft.maxCudaVersion,
    city: draft.city,
    country: draft.country,
    region: draft.region,
    url: draft.url,
    price_usd_per_hour: usdText(draft.priceMicro),
    disk_price_usd_per_gb_month: draft.diskPriceMicro === null ? null : usdText(draft.diskPriceMicro),
    third_party_id: draft.thirdPartyId,
    cloud_id: draft.cloudId,
    in_stock: draft.inStock,
    extra: draft.extra,
  });
}
