import { inTransaction } from "../db/client";
import { notFound } from "../kernel/errors";

/**
 * Suspends an account or lifts that. A suspended person is signed out, and their keys are answered 403
 * `account_suspended`; what they rent goes on and is billed, for an operator to end. Repeating it changes nothing.
 * @throws DomainError not_found for an unknown account
 */
export async function suspendAccount(userId: string, suspended: boolean): Promise<void> {
  await inTransaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE "user" SET updated_at = now(),
        suspended_at = CASE WHEN ${suspended} THEN coalesce(suspended_at, now()) END
      WHERE id = ${userId}`;
    if (changed === 0) throw notFound("account");
    if (suspended) await tx.session.deleteMany({ where: { userId } });
  });
}
