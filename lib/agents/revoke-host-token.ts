import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { DomainError, notFound } from "../kernel/errors";

/**
 * Voids one's own host token that no machine has used. A join locks the same row, so of the two at once exactly one wins.
 * @throws DomainError not_found, also for another's · in_use for one that a machine has joined by
 */
export async function revokeHostToken(ctx: Ctx, id: string): Promise<void> {
  const { count } = await db().hostToken.deleteMany({ where: { id, userId: ctx.userId, usedAt: null } });
  if (count > 0) return;
  if ((await db().hostToken.count({ where: { id, userId: ctx.userId } })) === 0) throw notFound("host token");
  throw new DomainError(
    "in_use",
    "A machine has joined by this token already, and nothing else can. Delete its hosts if it is not yours.",
  );
}
