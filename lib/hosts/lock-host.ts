import type { Prisma, Tx } from "../db/client";
import { notFound } from "../kernel/errors";

type HostRow = Prisma.HostGetPayload<object>;

/**
 * One's own host, locked until the transaction ends.
 * @throws DomainError not_found, also for another's and a deleted one
 */
export async function lockHost(tx: Tx, userId: string, hostId: string): Promise<HostRow> {
  await tx.$queryRaw`SELECT 1 FROM host WHERE id = ${hostId} AND user_id = ${userId} FOR NO KEY UPDATE`;
  const row = await tx.host.findFirst({ where: { id: hostId, userId, deletedAt: null } });
  if (!row) throw notFound("host");
  return row;
}
