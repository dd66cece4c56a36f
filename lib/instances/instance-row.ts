import { type InstanceStatus, instanceStatuses } from "../contract/instance";
import { Prisma, type Tx } from "../db/client";
import { notFound } from "../kernel/errors";
import type { InstanceState } from "./status";

export type InstanceRow = Prisma.InstanceGetPayload<object>;

export function statusOf(row: { status: string }): InstanceStatus {
  const status = instanceStatuses.find((known) => known === row.status);
  if (!status) throw new Error("an instance of unknown status");
  return status;
}

export function stateOf(row: InstanceRow): InstanceState {
  return { status: statusOf(row), ran: row.initializedAt !== null };
}

/**
 * Locks one's own instance for the rest of the transaction. One that was destroyed is missing.
 * @param userId null: an operator's reach over every account
 * @throws DomainError not_found
 */
export async function lockInstance(tx: Tx, userId: string | null, instanceId: string): Promise<InstanceRow> {
  const owner = userId === null ? Prisma.sql`true` : Prisma.sql`user_id = ${userId}`;
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM instance WHERE id = ${instanceId} AND ${owner} AND status <> 'destroyed' FOR UPDATE`;
  if (found.length === 0) throw notFound("instance");
  return tx.instance.findUniqueOrThrow({ where: { id: instanceId } });
}
