import { inTransaction, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { lockHost } from "./lock-host";
import { hostIs, restateHosts } from "./restate-hosts";

/**
 * Takes one's own host off the market until it is relisted. What is rented of it goes on to its own end.
 * @throws DomainError not_found
 */
export function withdrawHost(ctx: Ctx, hostId: string): Promise<void> {
  return setWithdrawn(ctx, hostId, true);
}

/**
 * Puts a host that its owner has withdrawn back on the market, unless something else keeps it off.
 * @throws DomainError not_found
 */
export function relistHost(ctx: Ctx, hostId: string): Promise<void> {
  return setWithdrawn(ctx, hostId, false);
}

async function setWithdrawn(ctx: Ctx, hostId: string, isWithdrawn: boolean): Promise<void> {
  const since = isWithdrawn ? Prisma.sql`coalesce(withdrawn_at, clock_timestamp())` : Prisma.sql`NULL`;
  await inTransaction(async (tx) => {
    await lockHost(tx, ctx.userId, hostId);
    await tx.$executeRaw`UPDATE host SET withdrawn_at = ${since}, updated_at = now() WHERE id = ${hostId}`;
    await tx.$executeRaw`
      UPDATE offer SET listed = ${!isWithdrawn}, updated_at = now() WHERE host_id = ${hostId} AND listed <> ${!isWithdrawn}`;
    await restateHosts(tx, hostIs(hostId));
  });
}
