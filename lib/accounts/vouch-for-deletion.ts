import { verifyPassword } from "better-auth/crypto";
import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField } from "../kernel/errors";
import { normaliseEmail } from "./get-account-id";

/**
 * A browser that somebody left open must not be enough to delete an account: its e-mail address is typed, and its password
 * given where it has one.
 * @throws ValidationError
 */
export async function vouchForDeletion(
  ctx: Ctx,
  { confirm, password }: { confirm: string; password: string | undefined },
): Promise<void> {
  const { email, credentials } = await db().user.findUniqueOrThrow({
    where: { id: ctx.userId },
    select: { email: true, credentials: { select: { password: true } } },
  });
  if (normaliseEmail(confirm) !== email) {
    throw invalidField(["body", "confirm"], "Must be the e-mail address of the account");
  }
  const hash = credentials.find((credential) => credential.password !== null)?.password;
  if (!hash) return;
  if (password === undefined) throw invalidField(["body", "password"], "Field required", "missing");
  if (!(await verifyPassword({ hash, password }))) {
    throw invalidField(["body", "password"], "Not the password of the account");
  }
}
