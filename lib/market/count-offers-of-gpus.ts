import { db, Prisma } from "../db/client";
import { onMarket } from "./filter-conditions";
import { liveMarket } from "./index/live-index";
import type { GpuCounts } from "./presenter";

/** Live offers of each GPU and their countries, for any number of GPUs at once. */
export async function countOffersOfGpus(
  translitNames: readonly (string | null)[],
): Promise<Map<string | null, GpuCounts>> {
  const names = [...new Set(translitNames.filter((name) => name !== null))];
  if (names.length === 0) return new Map();
  return liveMarket()?.countOffersOfGpus(names) ?? countOffersOfGpusInDatabase(names);
}

/** The same from the database, which the index is tested by. */
export async function countOffersOfGpusInDatabase(names: readonly string[]): Promise<Map<string, GpuCounts>> {
  const rows = await db().$queryRaw<({ name: string } & GpuCounts)[]>(Prisma.sql`
    SELECT o.gpu_translit_name AS name, count(*)::int AS offers, count(DISTINCT o.country)::int AS countries
    FROM offer o WHERE ${onMarket} AND o.gpu_translit_name = ANY(${names}) GROUP BY 1`);
  return new Map(rows.map(({ name, offers, countries }) => [name, { offers, countries }]));
}
