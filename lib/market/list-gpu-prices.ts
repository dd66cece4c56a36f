import type { z } from "zod";
import type { gpuPrice } from "../contract/gpu";
import { db, Prisma } from "../db/client";
import { notFound } from "../kernel/errors";
import { convertMicro, microToNumber, type Rate } from "../kernel/money";

type GpuPrice = z.output<typeof gpuPrice>;

const HOURLY_UP_TO_DAYS = 7;

/**
 * What one GPU of a model has cost over the last `days`, the oldest first: a point an hour, beyond a week a point a UTC day.
 * @throws DomainError not_found
 */
export async function listGpuPrices(
  translitName: string,
  days: number,
  rate: Rate,
): Promise<{ items: GpuPrice[]; total: number }> {
  const gpu = await db().gpu.findUnique({ where: { translitName }, select: { id: true } });
  if (!gpu) throw notFound("GPU");
  const isHourly = days <= HOURLY_UP_TO_DAYS;
  const step = isHourly ? Prisma.sql`'hour'` : Prisma.sql`'day'`;
  const since = isHourly
    ? Prisma.sql`now() - make_interval(days => ${days}::int)`
    : Prisma.sql`date_trunc('day', now(), 'UTC') - make_interval(days => ${days - 1}::int)`;
  const rows = await db().$queryRaw<{ at: Date; low: bigint; median: bigint; offers: number }[]>`
    SELECT date_trunc(${step}, at, 'UTC') AS at, min(low_micro) AS low, round(avg(offers_count))::int AS offers,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY median_micro) AS median
    FROM price_sample WHERE gpu_translit_name = ${translitName} AND at >= ${since}
    GROUP BY 1 ORDER BY 1`;
  const show = (micro: bigint) => microToNumber(convertMicro(micro, rate));
  const items = rows.map(({ at, low, median, offers }) => ({
    at: at.toISOString(),
    low: show(low),
    median: show(median),
    offers_count: offers,
  }));
  return { items, total: items.length };
}
