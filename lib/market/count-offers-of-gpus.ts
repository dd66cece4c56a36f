import { db, Prisma } from "../db/client";
import { onMarket } from "./filter-conditions";
import type { GpuCounts } from "./presenter";

/** Live offers of each GPU and their countries, in one query for any number of GPUs. */
export async function countOffersOfGpus(
  translitNames: readonly (string | null)[],
): Promise<Map<string | null, GpuCounts>> {
  const names = [...new Set(translitNames.filter((name) => name !== null))];
  if (names.length === 0) return new Map();
  const rows = await db().$queryRaw<({ name: string } & GpuCounts)[]>(Prisma.sql`
    SELECT o.gpu_translit_name AS name, count(*)::int AS offers, count(DISTINCT o.country)::int AS countries
    FROM offer o WHERE ${onMarket} AND o.gpu_translit_name = ANY(${names}) GROUP BY 1`);
  return new Map(rows.map(({ name, offers, countries }) => [name, { offers, countries }]));
}
