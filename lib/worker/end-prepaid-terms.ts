import { prepaidPriceMicro } from "../billing/prices";
import { type ReservePeriod, reservePeriods } from "../billing/reserve-periods";
import { instancePhases } from "../contract/instance";
import { db, inTransaction } from "../db/client";
import { lockInstance, statusOf } from "../instances/instance-row";
import { moveInstance } from "../instances/move-instance";

/** Terms that have ended go on by the second at the locked price, or are renewed where that was asked and can be paid. */
export async function endPrepaidTerms(): Promise<void> {
  const ended = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM instance WHERE prepaid_until <= now() AND status <> 'destroyed' AND initialized_at IS NOT NULL LIMIT 100`;
  for (const { id } of ended) await endTerm(id);
}

function endTerm(instanceId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const row = await lockInstance(tx, null, instanceId);
    const over = await tx.$queryRaw<
      unknown[]
    >`SELECT 1 FROM instance WHERE id = ${row.id} AND prepaid_until <= now()`;
    if (over.length === 0) return;
    const period = row.reservePeriod as ReservePeriod;
    const price = prepaidPriceMicro(row.priceMicro, period);
    const paid = row.autoRenew
      ? await tx.$executeRaw`
          UPDATE balance SET available_micro = available_micro - ${price}
          WHERE user_id = ${row.userId} AND available_micro - ${price} >= burn_micro`
      : 0;
    if (paid > 0) {
      await tx.$executeRaw`
        UPDATE instance SET prepaid_micro = prepaid_micro + ${price},
          prepaid_until = prepaid_until + make_interval(hours => ${reservePeriods[period].hours}::int)
        WHERE id = ${row.id}`;
      return;
    }
    await tx.$executeRaw`UPDATE instance SET prepaid_until = NULL WHERE id = ${row.id}`;
    await moveInstance(
      tx,
      { ...row, prepaidUntil: null },
      {
        status: statusOf(row),
        phase: instancePhases.find((known) => known === row.phase) ?? "running",
        message: row.message,
        event: "instance.term_ended",
      },
    );
  });
}
