import { Prisma, type Tx } from "../db/client";
import { notFound } from "../kernel/errors";
import { catchUp } from "./catch-up";
import type { LockedInstance } from "./instance-row";

/**
 * Locks one's own instance for the rest of the transaction, and brings it up to what time alone has done to it, so that
 * a verb finds the same whether a worker was there before it or not. One that was destroyed is missing.
 * The lock lets foreign keys through: settling refers to the row while it holds the meter that the verb will want.
 * @param userId null: an operator's reach over every account
 * @throws DomainError not_found
 */
export async function lockInstance(
  tx: Tx,
  userId: string | null,
  instanceId: string,
): Promise<LockedInstance> {
  const owner = userId === null ? Prisma.sql`true` : Prisma.sql`user_id = ${userId}`;
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM instance WHERE id = ${instanceId} AND ${owner} AND status <> 'destroyed' FOR NO KEY UPDATE`;
  if (found.length === 0) throw notFound("instance");
  return catchUp(tx, instanceId);
}
