import type { Tx } from "../db/client";
import { getEarned } from "./payouts";

/** What keeps an account's books open: USD micro-units, and whether something is still to be settled. */
export interface Left {
  availableMicro: bigint;
  escrowMicro: bigint;
  owedMicro: bigint;
  unsettled: boolean;
}

/**
 * What is left of an account's money, as renter and as host owner. Its balance is locked, where a rent is judged: with
 * nothing in it none can follow in this transaction's time, nor after it.
 */
export async function sumWhatIsLeft(tx: Tx, userId: string): Promise<Left> {
  await tx.$queryRaw`SELECT 1 FROM balance WHERE user_id = ${userId} FOR UPDATE`;
  const { owedMicro } = await getEarned(userId, tx);
  const [row] = await tx.$queryRaw<Omit<Left, "owedMicro">[]>`
    SELECT coalesce((SELECT available_micro FROM balance WHERE user_id = ${userId}), 0) AS "availableMicro",
      (SELECT coalesce(sum(escrow_micro), 0)::bigint FROM ledger_movement WHERE user_id = ${userId}) AS "escrowMicro",
      EXISTS (SELECT FROM meter_interval m JOIN instance i ON i.id = m.instance_id
        WHERE NOT m.settled AND (i.user_id = ${userId} OR i.payee_id = ${userId})) AS unsettled`;
  if (!row) throw new Error("a SELECT without FROM gives one row");
  return { ...row, owedMicro };
}
