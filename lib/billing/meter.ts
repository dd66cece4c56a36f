import { Prisma, type Tx } from "../db/client";

export type MeterKind = "running" | "paused";

/** Micro-units owed for an interval until now: rate × seconds / 3600, rounded down, to the microsecond. */
export const owedMicro = Prisma.sql`CASE WHEN m.prepaid THEN 0 ELSE
  floor(m.rate_micro * extract(epoch FROM coalesce(m.ended_at, clock_timestamp()) - m.started_at) / 3600)::bigint END`;

/**
 * Ends the open interval of an instance, if there is one, and takes what it owes from the balance, in the caller's
 * transaction. The caller holds the instance's row, so that no two move one meter.
 */
export async function closeMeter(tx: Tx, instanceId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE meter_interval SET ended_at = greatest(clock_timestamp(), started_at)
    WHERE instance_id = ${instanceId} AND ended_at IS NULL`;
  await settle(tx, Prisma.sql`m.instance_id = ${instanceId}`);
}

/** Begins an interval where the last one ended or now, whichever is later: a clock set back cannot make two overlap. */
export async function openMeter(
  tx: Tx,
  instanceId: string,
  interval: { kind: MeterKind; rateMicro: bigint; prepaid: boolean },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO meter_interval (instance_id, kind, prepaid, rate_micro, started_at)
    SELECT ${instanceId}, ${interval.kind}, ${interval.prepaid}, ${interval.rateMicro},
      greatest(clock_timestamp(), (SELECT max(ended_at) FROM meter_interval WHERE instance_id = ${instanceId}))`;
}

/**
 * Takes from balances what unsettled intervals owe beyond what was taken before. Safe to repeat, to be killed and to
 * run twice at once: the intervals are locked, and what was taken is kept on them in the same statement.
 * @returns how many intervals were looked at
 */
export async function settle(tx: Tx, which: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<{ looked: number }[]>`
    WITH due AS (
      SELECT m.id, i.user_id, m.ended_at, greatest(${owedMicro}, m.settled_micro) AS owed, m.settled_micro AS taken
      FROM meter_interval m JOIN instance i ON i.id = m.instance_id
      WHERE NOT m.settled AND ${which} FOR UPDATE OF m SKIP LOCKED
    ), kept AS (
      UPDATE meter_interval m SET settled_micro = due.owed, settled = due.ended_at IS NOT NULL
      FROM due WHERE m.id = due.id
    ), paid AS (
      UPDATE balance b SET available_micro = b.available_micro - sums.micro
      FROM (SELECT user_id, sum(owed - taken)::bigint AS micro FROM due GROUP BY user_id) sums
      WHERE b.user_id = sums.user_id AND sums.micro > 0
    ) SELECT count(*)::int AS looked FROM due`;
  return row?.looked ?? 0;
}
