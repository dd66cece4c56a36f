import { inTransaction } from "../db/client";
import { DomainError, notFound } from "../kernel/errors";
import { DELETED_DOMAIN } from "./erase-person";
import { forgetKeys } from "./known-keys";

/**
 * Suspends an account or lifts that. A suspended person is signed out, and their keys are answered 403
 * `account_suspended`; what they rent goes on and is billed, for an operator to end. Repeating it changes nothing.
 * @param operatorId who does it, where that is an account
 * @throws DomainError not_found for an unknown account, and for lifting that of a deleted one · invalid_state for one's own
 */
export async function suspendAccount(userId: string, suspended: boolean, operatorId?: string): Promise<void> {
  if (suspended && userId === operatorId) {
    throw new DomainError("invalid_state", "You cannot suspend your own account. Ask another operator.");
  }
  await inTransaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE "user" SET updated_at = now(),
        suspended_at = CASE WHEN ${suspended} THEN coalesce(suspended_at, now()) END
      WHERE id = ${userId} AND (${suspended} OR email NOT LIKE ${`%@${DELETED_DOMAIN}`})`;
    if (changed === 0) throw notFound("account");
    if (suspended) await tx.session.deleteMany({ where: { userId } });
  });
  forgetKeys();
}
