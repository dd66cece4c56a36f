import { refundTerm, releaseEscrow } from "../billing/escrow";
import { inTransaction, type Tx } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { LockedInstance } from "./instance-row";
import { lockInstance } from "./lock-instance";
import { moveInstance } from "./move-instance";

/**
 * Ends an instance for good and destroys its data. It leaves the list and stops costing at once; its offer is free
 * again when the runtime has said that the container is gone.
 * @throws DomainError not_found
 */
export async function destroyInstance(ctx: Ctx, instanceId: string): Promise<void> {
  await inTransaction(async (tx) =>
    destroyLocked(tx, await lockInstance(tx, ctx.userId, instanceId), "renter"),
  );
}

/**
 * An operator's destroy, of any account's instance; the unused part of a prepaid term goes back whole.
 * @param note why, in words for the renter
 * @throws DomainError not_found
 */
export async function destroyAnyInstance(instanceId: string, note?: string): Promise<void> {
  const why = { reason: "operator", ...(note !== undefined && { note }) };
  await inTransaction(async (tx) =>
    destroyLocked(tx, await lockInstance(tx, null, instanceId), "platform", why),
  );
}

/** @param why where it is not the renter's own wish */
export async function destroyLocked(
  tx: Tx,
  row: LockedInstance,
  by: "renter" | "platform",
  why: { reason?: string; note?: string } = {},
): Promise<void> {
  const destroyed = await moveInstance(tx, row, {
    status: "destroyed",
    phase: "stopping",
    message: "destroying",
    wanted: "destroyed",
    event: "instance.destroyed",
    ...why,
  });
  await endTermEarly(tx, destroyed, by);
}

/** The paid term of an instance that ends now: what is due goes back, the rest to who has earned it. */
export async function endTermEarly(tx: Tx, row: LockedInstance, by: "renter" | "platform"): Promise<void> {
  if (row.prepaidUntil === null) return;
  const refund = await refundTerm(tx, row, (await isLongSilent(tx, row)) ? "platform" : by);
  await releaseEscrow(tx, row);
  await tx.$executeRaw`
    UPDATE instance SET prepaid_micro = prepaid_micro - ${refund}, prepaid_until = NULL WHERE id = ${row.id}`;
}

/** Silent over 24 hours: the renter may leave with all that is unused. */
async function isLongSilent(tx: Tx, row: LockedInstance): Promise<boolean> {
  const long = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM instance WHERE id = ${row.id} AND silent_since < ${row.at}::timestamptz - interval '24 hours'`;
  return long.length > 0;
}
