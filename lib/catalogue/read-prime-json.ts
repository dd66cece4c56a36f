import { z } from "zod";
import type { GpuModel } from "./gpu-models";
import { resolveGpuModel } from "./gpu-names";
import { readJsonItems } from "./json-items";
import {
  type CatalogueRow,
  createDraft,
  createKeyNumbering,
  MOST_GPUS_AN_OFFER,
  type OfferDraft,
} from "./offer-draft";
import { parseDecimal, parsePriceMicro } from "./parse-decimal";
import { parseJson } from "./parse-json";
import { findCountry } from "./places";
import { type ByteSource, isPlainText } from "./text-input";
import { thirdPartyProvider } from "./third-party-providers";

const HOURS_A_MONTH = 720n;

const text = z
  .string()
  .max(200)
  .refine((value) => isPlainText(value, 200));
const resource = z
  .object({
    defaultCount: z.number().positive().nullish(),
    maxCount: z.number().positive().nullish(),
    pricePerUnit: z.number().nonnegative().nullish(),
  })
  .nullish();

const itemSchema = z.object({
  cloudId: text.min(1),
  gpuType: text.min(1),
  socket: text.nullish(),
  provider: text.min(1),
  region: text.nullish(),
  dataCenter: text.nullish(),
  country: text.nullish(),
  gpuCount: z.int().min(1).max(MOST_GPUS_AN_OFFER),
  gpuMemory: z.number().positive().nullish(),
  disk: resource,
  vcpu: resource,
  memory: resource,
  internetSpeed: z.number().positive().nullish(),
  stockStatus: text.nullish(),
  security: text.nullish(),
  isSpot: z.boolean().nullish(),
  prepaidTime: z.number().nullish(),
  prices: z.object({
    onDemand: z.number().nullish(),
    communityPrice: z.number().nullish(),
    currency: z.string().nullish(),
  }),
});

type PrimeItem = z.output<typeof itemSchema>;

function modelOf(item: PrimeItem): GpuModel | { reason: string } {
  const claim = { name: item.gpuType, socket: item.socket ?? null };
  const perGpu = resolveGpuModel({ ...claim, vramGb: item.gpuMemory ?? null });
  if (!("reason" in perGpu) || !item.gpuMemory || item.gpuCount === 1) return perGpu;
  // Some upstreams give the memory of all GPUs together.
  const shared = resolveGpuModel({ ...claim, vramGb: item.gpuMemory / item.gpuCount });
  return "reason" in shared ? perGpu : shared;
}

function diskPriceOf(item: PrimeItem): bigint | null {
  const anHour = item.disk?.pricePerUnit;
  const pico = anHour ? parseDecimal(String(anHour), 12) : null;
  return pico === null ? null : (pico * HOURS_A_MONTH + 500_000n) / 1_000_000n;
}

function keyOf(item: PrimeItem): string {
  const place = item.dataCenter ?? item.region;
  return [item.provider, item.cloudId, item.socket, item.gpuCount, place, item.security]
    .map((part) => part ?? "")
    .join("|");
}

function readItem(item: PrimeItem): OfferDraft | { reason: string } {
  if (item.isSpot) return { reason: "it is a spot offer, which its upstream may take back at any time" };
  if ((item.prices.currency ?? "USD") !== "USD") return { reason: "its price is not in USD" };
  const price = item.prices.onDemand ?? item.prices.communityPrice;
  const priceMicro = price == null ? null : parsePriceMicro(String(price));
  if (priceMicro === null) return { reason: "its price is not an amount of USD above 0 and at most 10000" };
  const provider = thirdPartyProvider(item.provider);
  if (!provider) return { reason: "its provider has no usable name" };
  const model = modelOf(item);
  if ("reason" in model) return model;
  const place = item.country ? findCountry(item.country) : null;
  return createDraft(model, {
    catalogueKey: keyOf(item),
    provider,
    gpuAmount: item.gpuCount,
    ramGb: item.memory?.defaultCount ?? null,
    diskGb: item.disk?.maxCount ?? item.disk?.defaultCount ?? null,
    vcpu: item.vcpu?.defaultCount ?? null,
    ethernetInMbps: item.internetSpeed ?? null,
    ethernetOutMbps: item.internetSpeed ?? null,
    country: place?.country ?? null,
    region: place?.region ?? null,
    url: provider.url,
    priceMicro,
    diskPriceMicro: diskPriceOf(item),
    thirdPartyId: item.provider,
    cloudId: item.cloudId,
    inStock: item.stockStatus?.toLowerCase() !== "unavailable",
    extra: {
      data_center: item.dataCenter ?? null,
      upstream_region: item.region ?? null,
      stock_status: item.stockStatus ?? null,
      security: item.security ?? null,
      prepaid_hours: item.prepaidTime ?? null,
    },
  });
}

/**
 * Reads Prime Intellect's availability answer (`{"items": […]}`). Each row is sold by a third party ("runpod"), which
 * becomes the provider. Bad rows are yielded with a reason; throws CatalogueFileError when the file as a whole is not
 * such an answer.
 */
export async function* readPrimeJson(source: ByteSource): AsyncGenerator<CatalogueRow> {
  const numberKey = createKeyNumbering();
  for await (const { line, text: raw, tooDeep } of readJsonItems(source)) {
    const parsed = tooDeep ? { reason: "it is nested too deep" } : parseJson(raw);
    if ("reason" in parsed) {
      yield { line, reason: parsed.reason };
      continue;
    }
    const item = itemSchema.safeParse(parsed.value);
    const row = item.success
      ? readItem(item.data)
      : { reason: `${whereWrong(item.error)} is missing or unusable` };
    if ("reason" in row) yield { line, reason: row.reason };
    else {
      row.catalogueKey = numberKey(row.catalogueKey);
      yield { line, draft: row };
    }
  }
}

function whereWrong(error: z.ZodError): string {
  return error.issues[0]?.path.join(".") || "the offer";
}
