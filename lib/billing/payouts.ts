import { type DbOrTx, db, inTransaction, Prisma, type Tx } from "../db/client";
import { invalidField } from "../kernel/errors";
import { checkReference } from "./credit-account";

interface PayoutWish {
  /** A host owner's account or a third party's provider. */
  payeeId: string;
  amountMicro: bigint;
  /** What it is found by at the bank; one payout a payee and reference, however often it is sent. */
  reference: string;
}

/** USD micro-units: earned in all, paid out, and what is still to be paid. */
export interface Earned {
  earnedMicro: bigint;
  paidOutMicro: bigint;
  owedMicro: bigint;
}

export interface Payout {
  payeeId: string;
  amountMicro: bigint;
  reference: string | null;
  at: Date;
}

/**
 * Writes down that earned money has left against a reference.
 * @returns what the payee has earned and got, after it
 * @throws ValidationError for an amount that is not positive or more than is owed, or a reference of another amount
 */
export function createPayout({ payeeId, amountMicro, reference }: PayoutWish): Promise<Earned> {
  if (amountMicro <= 0n) throw invalidField(["body", "amount"], "Must be more than zero");
  checkReference(reference);
  return inTransaction(async (tx) => {
    // Of two at once the second one waits here, and then counts the first.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`payout:${payeeId}`}, 0))`;
    const cause = `payout:${payeeId}:${reference}`;
    const past = await tx.ledgerMovement.findUnique({ where: { cause } });
    if (past && past.payoutMicro !== amountMicro) {
      throw invalidField(["body", "reference"], "This reference was used for another amount. Use a new one.");
    }
    if (!past) {
      if ((await sumEarned(tx, payeeId)).owedMicro < amountMicro) {
        throw invalidField(["body", "amount"], "More than what is earned and not yet paid out");
      }
      const data = { cause, kind: "payout", payeeId, reference };
      await tx.ledgerMovement.create({
        data: { ...data, hostMicro: -amountMicro, payoutMicro: amountMicro },
      });
    }
    return sumEarned(tx, payeeId);
  });
}

/** What an account or provider has earned and got so far. */
export function getEarned(payeeId: string, tx: DbOrTx = db()): Promise<Earned> {
  return sumEarned(tx, payeeId);
}

async function sumEarned(tx: Pick<Tx, "$queryRaw">, payeeId: string): Promise<Earned> {
  const [sums] = await tx.$queryRaw<{ earned: bigint; paid: bigint }[]>(Prisma.sql`
    SELECT coalesce(sum(host_micro) FILTER (WHERE kind <> 'payout'), 0)::bigint AS earned,
      coalesce(sum(payout_micro), 0)::bigint AS paid
    FROM ledger_movement WHERE payee_id = ${payeeId}`);
  const { earned = 0n, paid = 0n } = sums ?? {};
  return { earnedMicro: earned, paidOutMicro: paid, owedMicro: earned - paid };
}

/** Payouts, the newest first; of one payee or of all. */
export async function listPayouts(
  payeeId: string | null,
  page: { start: number; limit: number },
): Promise<{ items: Payout[]; total: number }> {
  const where = { kind: "payout", ...(payeeId === null ? {} : { payeeId }) };
  const [rows, total] = await Promise.all([
    db().ledgerMovement.findMany({ where, orderBy: { id: "desc" }, skip: page.start, take: page.limit }),
    db().ledgerMovement.count({ where }),
  ]);
  const items = rows.map(({ payeeId: payee, payoutMicro, reference, at }) => ({
    payeeId: payee ?? "",
    amountMicro: payoutMicro,
    reference,
    at,
  }));
  return { items, total };
}
