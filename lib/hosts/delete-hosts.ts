import { Prisma, type Tx } from "../db/client";
import { restateHosts } from "./restate-hosts";

/**
 * Withdraws all hosts of an account for good, as `deleteHost` does, and forgets where they stood. One that is rented is left
 * on the market: the caller undoes it all then.
 * @returns how many are rented
 */
export async function deleteHosts(tx: Tx, userId: string): Promise<number> {
  await tx.$queryRaw`SELECT 1 FROM host WHERE user_id = ${userId} ORDER BY id FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    UPDATE offer SET listed = false, live = false FROM host h
    WHERE offer.host_id = h.id AND h.user_id = ${userId} AND NOT offer.leased`;
  const rented = await tx.offer.count({ where: { host: { userId }, leased: true } });
  await tx.$executeRaw`
    UPDATE host SET deleted_at = coalesce(deleted_at, now()), updated_at = now(), address = NULL WHERE user_id = ${userId}`;
  await restateHosts(tx, Prisma.sql`h.user_id = ${userId}`);
  return rented;
}
