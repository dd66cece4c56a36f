import type { z } from "zod";
import type { relaxation } from "../contract/facets";
import type { SearchFilters } from "../contract/offer";
import { db } from "../db/client";
import type { Rate } from "../kernel/money";
import { conditionsOf, missedBits, onMarket } from "./filter-conditions";
import { liveMarket } from "./index/live-index";

/** What dropping each one of the filters that are set would leave, the most offers first. */
export async function suggestRelaxation(search: {
  filters: SearchFilters;
  rate: Rate;
}): Promise<z.output<typeof relaxation>[]> {
  return liveMarket()?.suggestRelaxation(search) ?? (await suggestRelaxationInDatabase(search));
}

/** The same from the database: where this node does not hold the market, and the oracle of the tests. */
export async function suggestRelaxationInDatabase(search: {
  filters: SearchFilters;
  rate: Rate;
}): Promise<z.output<typeof relaxation>[]> {
  const conditions = conditionsOf(search);
  if (conditions.length === 0) return [];
  const rows = await db().$queryRaw<{ missed: number; n: number }[]>`
    SELECT missed, count(*)::int AS n FROM (
      SELECT ${missedBits(conditions)} AS missed FROM offer o WHERE ${onMarket}
    ) market WHERE missed & (missed - 1) = 0 GROUP BY missed`;
  const counts = new Map(rows.map(({ missed, n }) => [missed, n]));
  const matching = counts.get(0) ?? 0;
  return conditions
    .map(({ filter }, i) => ({ filter, total_items: matching + (counts.get(2 ** i) ?? 0) }))
    .sort((a, b) => b.total_items - a.total_items);
}
