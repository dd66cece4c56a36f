import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField } from "../kernel/errors";
import { type AccountRow, getAccount } from "./get-account";

const LONGEST_NAME = 100;

/**
 * Changes one's own name, without white space around it.
 * @throws ValidationError
 */
export async function updateAccount(ctx: Ctx, wish: { name: string }): Promise<AccountRow> {
  const name = wish.name.trim();
  if (name.length === 0 || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw invalidField(["body", "name"], `Must have 1 to ${LONGEST_NAME} printable characters`);
  }
  // One that was deleted a moment ago stays nameless.
  await db().$executeRaw`
    UPDATE "user" SET name = ${name}, updated_at = now() WHERE id = ${ctx.userId} AND suspended_at IS NULL`;
  return getAccount(ctx);
}
