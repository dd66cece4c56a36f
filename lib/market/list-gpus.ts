import type { z } from "zod";
import type { gpuSummary } from "../contract/gpu";
import { db } from "../db/client";
import { convertMicro, microToNumber, type Rate } from "../kernel/money";
import { onMarket } from "./filter-conditions";

type GpuSummary = z.output<typeof gpuSummary>;

/** The GPUs of the catalogue, those with most live offers first; with the lowest hourly price of one rentable GPU. */
export async function listGpus(
  page: { start: number; limit: number },
  rate: Rate,
): Promise<{ items: GpuSummary[]; total: number }> {
  const [rows, total] = await Promise.all([
    db().$queryRaw<(Omit<GpuSummary, "best_price" | "currency"> & { best_micro: bigint | null })[]>`
      SELECT g.translit_name, g.name, g.vendor, g.architecture, g.segment, g.vram_gb AS vram,
        g.memory_bandwidth_gbps AS memory_bandwidth, g.fp32_tflops AS fp32, g.launch_year,
        coalesce(m.offers, 0)::int AS offers_count, coalesce(m.rentable, 0)::int AS rentable_count, m.best_micro
      FROM gpu g LEFT JOIN (
        SELECT o.gpu_translit_name AS translit_name, count(*) AS offers, count(*) FILTER (WHERE o.rentable) AS rentable,
          round(min(o.price_micro::numeric / greatest(o.gpu_amount, 1)) FILTER (WHERE o.rentable))::bigint AS best_micro
        FROM offer o WHERE ${onMarket} GROUP BY 1
      ) m USING (translit_name)
      ORDER BY offers_count DESC, g.translit_name LIMIT ${page.limit} OFFSET ${page.start}`,
    db().gpu.count(),
  ]);
  const items = rows.map(({ best_micro: best, ...gpu }) => ({
    ...gpu,
    best_price: best === null ? null : microToNumber(convertMicro(best, rate)),
    currency: rate.currency,
  }));
  return { items, total };
}
