import { Readable } from "node:stream";
import type { CatalogueRow, OfferDraft } from "@/lib/catalogue/offer-draft";

/** A Readable of the text in chunks of `size` bytes, so that a cut may fall anywhere. */
export function streamOf(content: string | Uint8Array, size = 65_536): Readable {
  const bytes = Buffer.from(content);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return Readable.from(chunks, { objectMode: false });
}

export type Read = { drafts: OfferDraft[]; skipped: { line: number; reason: string }[]; lines: number[] };

export async function readAll(rows: AsyncIterable<CatalogueRow>): Promise<Read> {
  const read: Read = { drafts: [], skipped: [], lines: [] };
  for await (const row of rows) {
    if ("draft" in row) {
      read.drafts.push(row.draft);
      read.lines.push(row.line);
    } else read.skipped.push(row);
  }
  return read;
}

export const skypilotHeader =
  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region";

/** A row of our own in SkyPilot's shape. */
export function skypilotRow(
  change: Partial<Record<"type" | "name" | "count" | "mib" | "price" | "region" | "info", string>> = {},
) {
  const {
    type = "2x-RTX_4090-32-65536",
    name = "RTX4090",
    count = "2",
    mib = "49128",
    price = "0.81",
  } = change;
  const { region = "Lapland, FI, EU" } = change;
  const info =
    change.info ??
    `{'Gpus': [{'Name': '${name}', 'Count': ${count}, 'MemoryInfo': {'SizeInMiB': ${mib}}}], 'TotalGpuMemoryInMiB': ${mib}}`;
  return `${type},${name},${count},32,64.0,"${info}",${price},0.00,"${region}"`;
}

/** An item of our own in the shape of Prime Intellect's answer. */
export function primeItem(change: Record<string, unknown> = {}) {
  return {
    cloudId: "gpu_1x_h100",
    gpuType: "H100_80GB",
    socket: "SXM5",
    provider: "examplecloud",
    region: "eu_north",
    dataCenter: "EX-1",
    country: "FI",
    gpuCount: 1,
    gpuMemory: 80,
    disk: { minCount: 10, defaultCount: 100, maxCount: 500, pricePerUnit: 0.0001 },
    vcpu: { defaultCount: 20 },
    memory: { defaultCount: 200 },
    internetSpeed: null,
    stockStatus: "High",
    security: "secure_cloud",
    prices: { onDemand: 2.1, communityPrice: null, currency: "USD" },
    isSpot: null,
    ...change,
  };
}
