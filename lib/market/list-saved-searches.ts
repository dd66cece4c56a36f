import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { SavedSearchRow } from "./create-saved-search";

/** One's own, the newest first. */
export async function listSavedSearches(
  ctx: Ctx,
  page: { start: number; limit: number },
): Promise<{ items: SavedSearchRow[]; total: number }> {
  const where = { userId: ctx.userId };
  const [items, total] = await Promise.all([
    db().savedSearch.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().savedSearch.count({ where }),
  ]);
  return { items, total };
}
