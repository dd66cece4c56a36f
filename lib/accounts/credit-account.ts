import { db } from "../db/client";
import { invalidField, notFound } from "../kernel/errors";

/** 9 billion USD: beyond it a JSON number is no longer exact. */
const MOST_MICRO = 9_000_000_000_000_000n;

/**
 * Adds to a balance, or takes from it what an operator put there by mistake.
 * @param amountMicro USD micro-units, negative to take
 * @returns what is available now, USD micro-units
 * @throws ValidationError where nothing would change, the amount is absurd, or the balance would fall below zero
 * @throws DomainError not_found for an unknown account
 */
export async function creditAccount(userId: string, amountMicro: bigint): Promise<bigint> {
  if (amountMicro === 0n || amountMicro > MOST_MICRO || amountMicro < -MOST_MICRO) {
    throw invalidField(["body", "amount"], "Must not be zero, and at most 9 billion USD");
  }
  const [row] = await db().$queryRaw<{ available: bigint }[]>`
    INSERT INTO balance (user_id, available_micro) SELECT id, ${amountMicro} FROM "user"
      WHERE id = ${userId} AND (${amountMicro} > 0 OR EXISTS (SELECT FROM balance WHERE user_id = ${userId}))
    ON CONFLICT (user_id) DO UPDATE SET available_micro = balance.available_micro + excluded.available_micro
      WHERE balance.available_micro + excluded.available_micro BETWEEN 0 AND ${MOST_MICRO}
    RETURNING available_micro AS available`;
  if (row) return row.available;
  const known = await db().user.count({ where: { id: userId } });
  if (known === 0) throw notFound("account");
  throw invalidField(["body", "amount"], "The balance would fall below zero or rise above 9 billion USD");
}
