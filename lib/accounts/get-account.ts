import { db, type Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";

const columns = {
  id: true,
  name: true,
  email: true,
  roles: true,
  createdAt: true,
  credentials: { where: { password: { not: null } }, select: { id: true } },
} satisfies Prisma.UserSelect;

/** An account, with the ways to sign in by a password. */
export type AccountRow = Prisma.UserGetPayload<{ select: typeof columns }>;

/** One's own account. */
export function getAccount(ctx: Ctx): Promise<AccountRow> {
  return db().user.findUniqueOrThrow({ where: { id: ctx.userId }, select: columns });
}
