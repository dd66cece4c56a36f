import type { z } from "zod";
import type { gpu } from "../contract/gpu";
import type { Locale } from "../contract/words";
import { db } from "../db/client";
import { notFound } from "../kernel/errors";
import { convertMicro, microToNumber, type Rate } from "../kernel/money";
import { onMarket } from "./filter-conditions";

type GpuRecord = z.output<typeof gpu>;

/**
 * A GPU of the catalogue as section 2.8 has it, with the lowest hourly price of one GPU among the rentable offers.
 * @throws DomainError not_found
 */
export async function getGpu(translitName: string, rate: Rate, locale: Locale): Promise<GpuRecord> {
  const [row, [best]] = await Promise.all([
    db().gpu.findUnique({ where: { translitName } }),
    db().$queryRaw<{ micro: bigint | null }[]>`
      SELECT min(round(o.price_micro::numeric / greatest(o.gpu_amount, 1)))::bigint AS micro FROM offer o
      WHERE ${onMarket} AND o.rentable AND o.gpu_translit_name = ${translitName}`,
  ]);
  if (!row) throw notFound("GPU");
  return {
    id: row.id,
    name: row.name,
    description: locale === "ru" ? row.descriptionRu : row.descriptionEn,
    translit_name: row.translitName,
    interface: row.interface,
    best_price: best?.micro == null ? null : microToNumber(convertMicro(best.micro, rate)),
    currency: rate.currency,
    features: row.features,
    configuration: [
      { name: "vendor", value: row.vendor, unit: null },
      { name: "architecture", value: row.architecture, unit: null },
      { name: "segment", value: row.segment, unit: null },
      { name: "memory", value: row.vramGb, unit: "GB" },
      { name: "memory_bandwidth", value: row.memoryBandwidthGbps, unit: "GB/s" },
      { name: "fp32", value: row.fp32Tflops, unit: "TFLOPS" },
      ...(row.fp16Tflops === null ? [] : [{ name: "fp16", value: row.fp16Tflops, unit: "TFLOPS" }]),
      { name: "tdp", value: row.tdpWatts, unit: "W" },
      { name: "launch_year", value: row.launchYear, unit: null },
      { name: "source", value: row.source, unit: null },
    ],
    benchmarks: row.benchmarks as GpuRecord["benchmarks"],
  };
}
