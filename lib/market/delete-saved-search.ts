import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { notFound } from "../kernel/errors";

/** @throws DomainError not_found */
export async function deleteSavedSearch(ctx: Ctx, id: string): Promise<void> {
  const { count } = await db().savedSearch.deleteMany({ where: { id, userId: ctx.userId } });
  if (count === 0) throw notFound("saved search");
}
