import type { Tx } from "../db/client";

interface PrepaidInstance {
  id: string;
  userId: string;
  priceMicro: bigint;
  prepaidMicro: bigint;
  prepaidUntil: Date | null;
}

/**
 * Gives back what is left of a term that ends early, once, and never more than was paid. Ended by the renter: 0.95 of
 * what is paid beyond the used time at the locked undiscounted rate. Ended by platform or host: the unused time at the
 * rate paid, whole. A term that never ran is unused as a whole.
 */
export async function refundPrepaid(tx: Tx, row: PrepaidInstance, by: "renter" | "platform"): Promise<void> {
  if (row.prepaidUntil === null) return;
  await tx.$executeRaw`
    WITH term AS (
      SELECT i.id, i.user_id, i.prepaid_micro AS paid,
        greatest(0, extract(epoch FROM i.prepaid_until - clock_timestamp())) AS unused,
        greatest(1, extract(epoch FROM i.prepaid_until - coalesce(i.initialized_at, i.created_at))) AS whole,
        CASE WHEN i.initialized_at IS NULL THEN 0
          ELSE extract(epoch FROM clock_timestamp() - i.initialized_at) END AS used,
        i.initialized_at IS NULL AS never_ran, i.price_micro AS price
      FROM instance i WHERE i.id = ${row.id} AND i.prepaid_until IS NOT NULL
    ), refund AS (
      SELECT id, user_id, least(paid, CASE
        WHEN never_ran THEN paid
        WHEN ${by} = 'renter' THEN floor(0.95 * greatest(0, paid - used * price / 3600))
        ELSE floor(paid * least(1, unused / whole)) END)::bigint AS micro
      FROM term
    ), back AS (
      UPDATE balance b SET available_micro = available_micro + refund.micro FROM refund WHERE b.user_id = refund.user_id
    )
    UPDATE instance i SET prepaid_micro = prepaid_micro - refund.micro, prepaid_until = NULL
    FROM refund WHERE i.id = refund.id`;
}
