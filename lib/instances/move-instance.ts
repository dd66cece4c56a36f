import { closeMeter, openMeter } from "../billing/meter";
import type { InstanceEvent, InstancePhase, InstanceStatus } from "../contract/words";
import { Prisma, type Tx } from "../db/client";
import { type LockedInstance, statusOf } from "./instance-row";
import { burnOf, meterOf } from "./status";

interface Move {
  status: InstanceStatus;
  phase: InstancePhase;
  message: string | null;
  /** What the renter wants from now on; absent: as before. */
  wanted?: "running" | "paused" | "destroyed";
  reboot?: boolean;
  event: InstanceEvent;
  /** Why, where it is not the renter's own wish. */
  reason?: string;
  /** An operator's words for the renter. */
  note?: string;
}

/** Wakes the workers; a lost hint costs them a second. */
export const WORK_CHANNEL = "berth_work";

/**
 * Moves a locked instance to another status: the row, its meter, its part of the burn and the event, in the caller's
 * transaction, so that what it costs and what it is never disagree.
 */
export async function moveInstance(tx: Tx, row: LockedInstance, move: Move): Promise<LockedInstance> {
  const at = Prisma.sql`${row.at}::timestamptz`;
  await tx.$executeRaw`
    UPDATE instance SET status = ${move.status}, phase = ${move.phase}, message = ${move.message},
      wanted = ${move.wanted ?? row.wanted}, wanted_boot = wanted_boot + ${move.reboot ? 1 : 0},
      status_changed_at = ${at}, due_at = ${at},
      initialized_at = coalesce(initialized_at, ${move.status === "running" ? at : Prisma.sql`NULL`}),
      destroyed_at = ${move.status === "destroyed" ? at : Prisma.sql`NULL`}
    WHERE id = ${row.id}`;
  await closeMeter(tx, row);
  const now = { ...(await tx.instance.findUniqueOrThrow({ where: { id: row.id } })), at: row.at };
  await followStatus(tx, now);
  const { reason, note } = move;
  await tell(tx, row, move.event, {
    ...(reason !== undefined && { reason }),
    ...(note !== undefined && { note }),
  });
  await tx.$executeRaw`SELECT pg_notify(${WORK_CHANNEL}, '')`;
  return now;
}

/** Lets the meter, which is closed, and the burn follow what the row says from `row.at` on. */
export async function followStatus(tx: Tx, row: LockedInstance): Promise<void> {
  const status = statusOf(row);
  const ran = row.initializedAt !== null;
  const prepaid = row.prepaidUntil !== null;
  const silent = row.silentSince !== null;
  const kind = silent ? null : meterOf(status, { ran, prepaid });
  if (kind) {
    const hourly = kind === "running" ? row.uptimeMicro : row.pauseMicro;
    const paid = { rateMicro: row.prepaidRateMicro, term: row.terms };
    await openMeter(tx, row, { kind, ...(prepaid ? paid : { rateMicro: hourly, term: null }) });
  }
  const burn = burnOf(status, { ...row, ran, free: prepaid || silent });
  if (burn === row.burnMicro) return;
  await tx.$executeRaw`UPDATE instance SET burn_micro = ${burn} WHERE id = ${row.id}`;
  await tx.$executeRaw`
    UPDATE balance SET burn_micro = burn_micro + ${burn - row.burnMicro} WHERE user_id = ${row.userId}`;
}

/** Writes an event of the instance for its renter. */
export async function tell(
  tx: Tx,
  row: LockedInstance,
  type: InstanceEvent,
  data: Record<string, string> = {},
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO event (user_id, subject_id, type, data, at)
    VALUES (${row.userId}, ${row.id}, ${type}, ${JSON.stringify(data)}::jsonb, ${row.at}::timestamptz)`;
}
