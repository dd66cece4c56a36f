import { type DbOrTx, db } from "../db/client";
import { DomainError } from "../kernel/errors";

/** E-mail addresses are compared and kept in lower case. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The id of the account with this e-mail address.
 * @throws DomainError not_found
 */
export async function getAccountId(email: string, tx: DbOrTx = db()): Promise<string> {
  const user = await tx.user.findUnique({ where: { email: normaliseEmail(email) }, select: { id: true } });
  if (!user) {
    throw new DomainError(
      "not_found",
      "There is no account with this e-mail address. Check it, or create one with `berth account create`.",
    );
  }
  return user.id;
}
