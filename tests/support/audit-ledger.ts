import { expect } from "vitest";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { db } from "@/lib/db/client";

/**
 * Holds the ledger to the verifier, and to sums of the test's own: of the two, neither is the other's judge. One statement,
 * so that it sees one instant. `div` and not `/`: that rounds a long quotient, up to the next whole one.
 * @param when what has just been done, for the message
 */
export async function expectSoundLedger(when: string): Promise<void> {
  const faults = await db().$queryRaw<{ rule: string; subject: string }[]>`
    WITH movement AS (
      SELECT *, renter_micro + escrow_micro + host_micro + fee_micro + credit_micro + payout_micro AS sum_micro,
        -(renter_micro + escrow_micro) AS cost_micro FROM ledger_movement
    ), chained AS (
      SELECT id, split_part(cause, ':', 3)::bigint AS before,
        coalesce(sum(cost_micro) OVER (PARTITION BY interval_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS moved
      FROM movement WHERE interval_id IS NOT NULL
    ), escrow AS (
      SELECT instance_id, id, sum(escrow_micro) OVER (PARTITION BY instance_id ORDER BY id) AS held FROM movement
    )
    SELECT 'a movement is not zero in sum' AS rule, id::text AS subject FROM movement WHERE sum_micro <> 0
    UNION ALL SELECT 'a balance is not its movements', user_id FROM balance b
      WHERE available_micro <> (SELECT coalesce(sum(renter_micro), 0) FROM movement m WHERE m.user_id = b.user_id)
    UNION ALL SELECT 'a burn is not its instances', user_id FROM balance b
      WHERE burn_micro <> (SELECT coalesce(sum(burn_micro), 0) FROM instance i WHERE i.user_id = b.user_id)
    UNION ALL SELECT 'an interval is settled by another amount than rate and time give', id::text FROM meter_interval
      WHERE settled_micro <> div(rate_micro::numeric * extract(epoch FROM settled_until - started_at) * 1000000, 3600000000)
    UNION ALL SELECT 'an interval has moved another amount than is settled', id::text FROM meter_interval i
      WHERE settled_micro <> (SELECT coalesce(sum(cost_micro), 0) FROM movement m WHERE m.interval_id = i.id)
    UNION ALL SELECT 'a settlement does not follow the one before it', id::text FROM chained WHERE before <> moved
    UNION ALL SELECT 'escrow was below zero', id::text FROM escrow WHERE held < 0
    UNION ALL SELECT 'escrow outlives its term', id FROM instance i WHERE prepaid_until IS NULL
      AND 0 <> (SELECT coalesce(sum(escrow_micro), 0) FROM movement m WHERE m.instance_id = i.id)
    UNION ALL SELECT 'more than was paid came back', id FROM instance i
      WHERE 0 < (SELECT coalesce(sum(renter_micro), 0) FROM movement m WHERE m.instance_id = i.id)
    UNION ALL SELECT 'an offer is leased without an instance, or the other way round', id FROM offer o
      WHERE leased <> EXISTS (SELECT FROM instance i WHERE i.offer_id = o.id AND i.holds_lease)`;
  expect(faults, when).toEqual([]);
  expect((await verifyLedger()).findings, when).toEqual([]);
}

/** What is owed and not settled yet by intervals that have ended; and how much was ever settled, USD micro-units. */
export async function countSettled(): Promise<{ open: number; unsettled: number; micro: bigint }> {
  const [row] = await db().$queryRaw<{ open: number; unsettled: number; micro: bigint }[]>`
    SELECT count(*) FILTER (WHERE ended_at IS NULL)::int AS open, count(*) FILTER (WHERE NOT settled)::int AS unsettled,
      coalesce(sum(settled_micro), 0)::bigint AS micro FROM meter_interval`;
  if (!row) throw new Error("no meter was read");
  return row;
}
