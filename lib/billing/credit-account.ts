import { inTransaction, type Tx } from "../db/client";
import { invalidField, notFound } from "../kernel/errors";

/** 9 billion USD: beyond it a JSON number is no longer exact. */
export const MOST_MICRO = 9_000_000_000_000_000n;

interface Credit {
  userId: string;
  /** USD micro-units; negative takes back. */
  amountMicro: bigint;
  /** The operator's own name for it, such as an invoice; one amount an account and reference, however often it is sent. */
  reference: string;
}

/**
 * Adds to a balance, or takes from it what an operator put there, once a reference.
 * @returns what is available now, USD micro-units
 * @throws ValidationError where nothing would change, the amount is absurd, the balance would fall below zero, or the
 *   reference stands for another amount
 * @throws DomainError not_found for an unknown account
 */
export function creditAccount(credit: Credit): Promise<bigint> {
  const { userId, amountMicro, reference } = credit;
  if (amountMicro === 0n || amountMicro > MOST_MICRO || amountMicro < -MOST_MICRO) {
    throw invalidField(["body", "amount"], "Must not be zero, and at most 9 billion USD");
  }
  checkReference(reference);
  return inTransaction(async (tx) => {
    const before = await lockBalance(tx, userId);
    const cause = `credit:${userId}:${reference}`;
    const past = await tx.ledgerMovement.findUnique({ where: { cause } });
    if (past && past.renterMicro !== amountMicro) {
      throw invalidField(["body", "reference"], "This reference was used for another amount. Use a new one.");
    }
    if (past) return before;
    const after = before + amountMicro;
    if ((amountMicro < 0n && after < 0n) || after > MOST_MICRO) {
      throw invalidField(["body", "amount"], "The balance would fall below zero or rise above 9 billion USD");
    }
    const kind = amountMicro > 0n ? "credit" : "debit";
    await tx.ledgerMovement.create({
      data: { cause, kind, userId, reference, renterMicro: amountMicro, creditMicro: -amountMicro },
    });
    return after;
  });
}

/** @throws ValidationError unless it is 1 to 200 characters of one line */
export function checkReference(reference: string): void {
  if (/^[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(reference)) return;
  throw invalidField(["body", "reference"], "Must be 1 to 200 characters on one line");
}

async function lockBalance(tx: Tx, userId: string): Promise<bigint> {
  await tx.$executeRaw`
    INSERT INTO balance (user_id) SELECT id FROM "user" WHERE id = ${userId} ON CONFLICT (user_id) DO NOTHING`;
  const [row] = await tx.$queryRaw<{ available: bigint }[]>`
    SELECT available_micro AS available FROM balance WHERE user_id = ${userId} FOR UPDATE`;
  if (!row) throw notFound("account");
  return row.available;
}
