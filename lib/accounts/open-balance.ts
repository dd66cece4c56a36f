import type { DbOrTx } from "../db/client";

/** Gives an account its balance row, with the credit that it starts with; one that has a row keeps what is in it. */
export async function openBalance(tx: DbOrTx, userId: string, creditMicro: bigint): Promise<void> {
  await tx.$executeRaw`
    WITH opened AS (
      INSERT INTO balance (user_id) VALUES (${userId}) ON CONFLICT (user_id) DO NOTHING RETURNING user_id
    )
    INSERT INTO ledger_movement (cause, kind, user_id, renter_micro, credit_micro, reference)
    SELECT 'sign-up:' || user_id, 'credit', user_id, ${creditMicro}::bigint, -${creditMicro}::bigint, 'sign-up' FROM opened
    WHERE ${creditMicro}::bigint > 0`;
}
