import { hoursOf, payNextTerm, releaseEscrow } from "../billing/escrow";
import { closeMeter } from "../billing/meter";
import { Prisma, type Tx } from "../db/client";
import type { LockedInstance } from "./instance-row";
import { followStatus, tell } from "./move-instance";

/**
 * Ends the paid term of an instance at `row.at`, its last instant: renewed where that was asked and can be paid, else it
 * goes on by the second at the locked price.
 */
export async function endTerm(tx: Tx, row: LockedInstance): Promise<void> {
  await closeMeter(tx, row);
  await releaseEscrow(tx, row);
  const renewed = row.autoRenew && (await payNextTerm(tx, row));
  const price = row.prepaidRateMicro * BigInt(hoursOf(row));
  const next = renewed
    ? Prisma.sql`terms = terms + 1, prepaid_micro = prepaid_micro + ${price},
        prepaid_until = prepaid_until + make_interval(hours => ${hoursOf(row)}::int)`
    : Prisma.sql`prepaid_until = NULL`;
  await tx.$executeRaw`UPDATE instance SET ${next} WHERE id = ${row.id}`;
  const now = await tx.instance.findUniqueOrThrow({ where: { id: row.id } });
  await followStatus(tx, { ...now, at: row.at });
  await tell(tx, row, renewed ? "instance.term_renewed" : "instance.term_ended");
}
