import type { DbOrTx } from "../db/client";

/** Gives an account its balance row; one that has a row keeps what is in it. */
export async function openBalance(tx: DbOrTx, userId: string, creditMicro: bigint): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO balance (user_id, available_micro) VALUES (${userId}, ${creditMicro})
    ON CONFLICT (user_id) DO NOTHING`;
}
