import { Prisma, type Tx } from "../db/client";
import type { Metered } from "./meter";
import { type ReservePeriod, reservePeriods } from "./reserve-periods";

/** What a term paid ahead is known by. */
export interface PrepaidInstance extends Metered {
  userId: string;
  payeeId: string;
  hostId: string | null;
  priceMicro: bigint;
  prepaidRateMicro: bigint;
  feeBasisPoints: number;
  reservePeriod: string;
  terms: number;
}

export function hoursOf(row: { reservePeriod: string }): number {
  return reservePeriods[row.reservePeriod as ReservePeriod].hours;
}

/**
 * Pays the next term into escrow, if the balance covers it and an hour of everything that costs by the hour.
 * @returns whether it was paid
 */
export async function payNextTerm(tx: Tx, row: PrepaidInstance): Promise<boolean> {
  const price = row.prepaidRateMicro * BigInt(hoursOf(row));
  const enough = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM balance WHERE user_id = ${row.userId} AND available_micro - ${price} >= burn_micro FOR UPDATE`;
  if (enough.length === 0) return false;
  await tx.$executeRaw`
    INSERT INTO ledger_movement (cause, kind, user_id, payee_id, host_id, instance_id, renter_micro, escrow_micro)
    VALUES ('prepay:' || ${row.id} || ':' || ${row.terms + 1}::int, 'prepay', ${row.userId}, ${row.payeeId}, ${row.hostId}, ${row.id},
      -${price}::bigint, ${price}::bigint)`;
  return true;
}

/**
 * Gives back what is left of the term that ends early, once. Ended by the renter: 0.95 of what is paid beyond the used
 * time at the locked undiscounted rate. Ended by platform or host: the unused time at the rate paid, whole. A term that
 * never ran is unused as a whole. Escrow holds no more than that, so no more than was paid comes back.
 * The meter must be closed before.
 * @returns micro-units given back
 */
export async function refundTerm(tx: Tx, row: PrepaidInstance, by: "renter" | "platform"): Promise<bigint> {
  const [refund] = await tx.$queryRaw<{ micro: bigint }[]>`
    WITH term AS (
      SELECT i.*, ${hoursOf(row)}::int * 3600 AS whole, ${escrowOf(row)} AS left_micro,
        extract(epoch FROM i.prepaid_until - coalesce(i.silent_since, ${row.at}::timestamptz)) AS unused
      FROM instance i WHERE i.id = ${row.id}
    ), refund AS (
      SELECT term.*, greatest(0, least(left_micro, CASE
        WHEN initialized_at IS NULL THEN left_micro
        WHEN ${by} = 'renter' THEN div(95 * (prepaid_rate_micro * whole - (whole - unused) * price_micro), 360000)
        ELSE div(prepaid_rate_micro * unused, 3600) END))::bigint AS micro
      FROM term
    ), moved AS (
      INSERT INTO ledger_movement (cause, kind, user_id, payee_id, host_id, instance_id, renter_micro, escrow_micro)
      SELECT 'refund:' || id || ':' || terms, 'refund', user_id, payee_id, host_id, id, micro, -micro FROM refund WHERE micro > 0
    ) SELECT micro FROM refund`;
  return refund?.micro ?? 0n;
}

/** What a term that has ended leaves in escrow, by rounding or by an early end, goes to who has earned it. */
export async function releaseEscrow(tx: Tx, row: PrepaidInstance): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO ledger_movement (cause, kind, user_id, payee_id, host_id, instance_id, escrow_micro, host_micro, fee_micro)
    SELECT 'release:' || ${row.id} || ':' || ${row.terms}::int, 'accrual', ${row.userId}, ${row.payeeId}, ${row.hostId}, ${row.id}, -micro,
      micro - micro * ${row.feeBasisPoints}::int / 10000, micro * ${row.feeBasisPoints}::int / 10000
    FROM (SELECT ${escrowOf(row)} AS micro) left_over WHERE micro > 0`;
}

/** What escrow holds for an instance. */
function escrowOf(row: Metered): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(sum(escrow_micro), 0)::bigint FROM ledger_movement WHERE instance_id = ${row.id})`;
}
