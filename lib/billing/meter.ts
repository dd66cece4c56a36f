import { Prisma, type Tx } from "../db/client";

/** A host that has not reported for this long counts as silent ("Hosts and agents" of the decisions). */
export const SILENT_AFTER_SECONDS = 60;

export type MeterKind = "running" | "paused";

/** An instance under its lock, and the one instant at which everything in the transaction happens. */
export interface Metered {
  id: string;
  /** On the database's clock, to the microsecond. */
  at: string;
}

interface Interval {
  kind: MeterKind;
  rateMicro: bigint;
  /** The term paid ahead that it is part of; null: by the hour. */
  term: number | null;
}

/** Micro-units for `rate` an hour from one instant to another: rounded down, to the microsecond. */
export function usedMicro(rate: Prisma.Sql, from: Prisma.Sql, until: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`div(${rate} * extract(epoch FROM ${until} - ${from}), 3600)::bigint`;
}

/**
 * Until when an interval `m` of an instance `i` on a host `h` is known to be owed: its end; while it is open no further than the
 * host's last report, in case that was its last, nor than the term that pays for it.
 */
const knownUntil = Prisma.sql`coalesce(m.ended_at, least(clock_timestamp(), h.last_report_at, CASE WHEN m.term IS NOT NULL THEN i.prepaid_until END))`;

/** Micro-units that an interval `m` of an instance `i` on a host `h` has cost so far. */
export const owedMicro = Prisma.sql`greatest(m.settled_micro, ${usedMicro(Prisma.sql`m.rate_micro`, Prisma.sql`m.started_at`, knownUntil)})`;

/**
 * Ends the open interval of an instance, if there is one, and settles it in the caller's transaction. The caller holds
 * the instance's row, so that no two move one meter.
 */
export async function closeMeter(tx: Tx, { id, at }: Metered): Promise<void> {
  await tx.$executeRaw`
    UPDATE meter_interval SET ended_at = greatest(${at}::timestamptz, started_at, settled_until)
    WHERE instance_id = ${id} AND ended_at IS NULL`;
  await settle(tx, Prisma.sql`m.instance_id = ${id}`);
}

/** Begins an interval where the last one ended or at the instant, whichever is later: a clock set back makes no two overlap. */
export async function openMeter(tx: Tx, { id, at }: Metered, interval: Interval): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO meter_interval (instance_id, kind, term, rate_micro, started_at, settled_until)
    SELECT ${id}, ${interval.kind}, ${interval.term}::int, ${interval.rateMicro}, start, start FROM (SELECT
      greatest(${at}::timestamptz, (SELECT max(ended_at) FROM meter_interval WHERE instance_id = ${id})) AS start) begins`;
}

/**
 * Moves what unsettled intervals owe beyond what was moved before: from the balance, or from escrow where the term was
 * paid ahead, to who earns it and to the operator's fee. One movement a UTC day, so that each day's sum is exact however
 * late it is settled. Safe to repeat, to be killed and to run twice at once: the intervals are locked, and what was moved
 * is kept on them in the same statement. Amounts are differences of rounded-down totals, so nothing depends on how
 * often it runs.
 * @returns how many intervals were settled
 */
export async function settle(tx: Tx, which: Prisma.Sql, most = 1000): Promise<number> {
  const owedUntil = (until: Prisma.Sql) => usedMicro(Prisma.sql`rate_micro`, Prisma.sql`started_at`, until);
  const fee = Prisma.sql`(after * fee_basis_points / 10000 - before * fee_basis_points / 10000)`;
  const [row] = await tx.$queryRaw<{ settled: number }[]>`
    WITH read AS (
      SELECT m.id, m.term, m.rate_micro, m.started_at, m.ended_at, m.settled_until, m.settled_micro,
        ${knownUntil} AS until, i.id AS instance_id, i.user_id, i.payee_id, i.host_id, i.fee_basis_points
      FROM meter_interval m JOIN instance i ON i.id = m.instance_id LEFT JOIN host h ON h.id = i.host_id
      WHERE NOT m.settled AND ${which} AND (m.ended_at IS NOT NULL OR ${knownUntil} > m.settled_until)
      LIMIT ${most}::int FOR UPDATE OF m SKIP LOCKED
    ), due AS (
      SELECT read.*, greatest(settled_micro, ${owedUntil(Prisma.sql`until`)}) AS owed FROM read
    ), slices AS (
      SELECT due.*, (day AT TIME ZONE 'UTC')::date AS day,
        CASE WHEN day <= settled_until THEN settled_micro ELSE ${owedUntil(Prisma.sql`day`)} END AS before,
        CASE WHEN day + interval '24 hours' >= until THEN owed
          ELSE greatest(settled_micro, ${owedUntil(Prisma.sql`day + interval '24 hours'`)}) END AS after
      FROM due, generate_series(date_trunc('day', settled_until, 'UTC'), until, interval '24 hours') AS day
    ), moved AS (
      INSERT INTO ledger_movement (cause, kind, user_id, payee_id, host_id, instance_id, interval_id, day,
        renter_micro, escrow_micro, host_micro, fee_micro)
      SELECT 'meter:' || id || ':' || before, CASE WHEN term IS NULL THEN 'usage' ELSE 'accrual' END, user_id, payee_id, host_id,
        instance_id, id, day, CASE WHEN term IS NULL THEN before - after ELSE 0 END,
        CASE WHEN term IS NULL THEN 0 ELSE before - after END, after - before - ${fee}, ${fee}
      FROM slices WHERE after > before ORDER BY id, day
    ), kept AS (
      UPDATE meter_interval m SET settled_until = due.until, settled_micro = due.owed, settled = due.ended_at IS NOT NULL
      FROM due WHERE m.id = due.id
    ) SELECT count(*)::int AS settled FROM due`;
  return row?.settled ?? 0;
}
