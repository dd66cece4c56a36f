import { closeMeter, openMeter } from "../billing/meter";
import type { InstancePhase, InstanceStatus } from "../contract/instance";
import { Prisma, type Tx } from "../db/client";
import type { InstanceRow } from "./instance-row";
import { burnOf, meterOf } from "./status";

interface Move {
  status: InstanceStatus;
  phase: InstancePhase;
  message: string | null;
  /** What the renter wants from now on; absent: as before. */
  wanted?: "running" | "paused" | "destroyed";
  reboot?: boolean;
  /** Event type, such as instance.paused. */
  event: string;
}

/** Wakes the workers; a lost hint costs them a second. */
export const WORK_CHANNEL = "berth_work";

/**
 * Moves a locked instance to another status: the row, its meter, its part of the burn and the event, in the caller's
 * transaction, so that what it costs and what it is never disagree.
 */
export async function moveInstance(tx: Tx, row: InstanceRow, move: Move): Promise<void> {
  const ran = row.initializedAt !== null || move.status === "running";
  const prepaid = row.prepaidUntil !== null;
  const burn = burnOf(move.status, {
    ran,
    prepaid,
    uptimeMicro: row.uptimeMicro,
    pauseMicro: row.pauseMicro,
  });
  await tx.$executeRaw`
    UPDATE instance SET status = ${move.status}, phase = ${move.phase}, message = ${move.message},
      wanted = ${move.wanted ?? row.wanted}, wanted_boot = wanted_boot + ${move.reboot ? 1 : 0},
      burn_micro = ${burn}, status_changed_at = clock_timestamp(), due_at = clock_timestamp(),
      initialized_at = coalesce(initialized_at, ${move.status === "running" ? Prisma.sql`clock_timestamp()` : Prisma.sql`NULL`}),
      destroyed_at = ${move.status === "destroyed" ? Prisma.sql`clock_timestamp()` : Prisma.sql`NULL`}
    WHERE id = ${row.id}`;
  await closeMeter(tx, row.id);
  const kind = meterOf(move.status, ran);
  if (kind) {
    const rateMicro = prepaid ? 0n : kind === "running" ? row.uptimeMicro : row.pauseMicro;
    await openMeter(tx, row.id, { kind, rateMicro, prepaid });
  }
  await tx.$executeRaw`
    UPDATE balance SET burn_micro = burn_micro + ${burn - row.burnMicro} WHERE user_id = ${row.userId}`;
  await tx.$executeRaw`
    INSERT INTO event (user_id, subject_id, type) VALUES (${row.userId}, ${row.id}, ${move.event})`;
  await tx.$executeRaw`SELECT pg_notify(${WORK_CHANNEL}, '')`;
}
