import { db, type Prisma } from "../db/client";
import { containing } from "../db/containing";
import { notFound } from "../kernel/errors";

const select = {
  id: true,
  name: true,
  email: true,
  roles: true,
  createdAt: true,
  suspendedAt: true,
  balance: { select: { availableMicro: true } },
  _count: {
    select: {
      instances: { where: { status: { not: "destroyed" } } },
      hosts: { where: { deletedAt: null } },
    },
  },
} satisfies Prisma.UserSelect;

export type AccountRow = Prisma.UserGetPayload<{ select: typeof select }>;

/** Everyone's accounts, for operators; the newest first. `search` is a part of an id, a name or an e-mail address. */
export async function listAccounts(page: {
  search?: string | undefined;
  start: number;
  limit: number;
}): Promise<{ items: AccountRow[]; total: number }> {
  const part = page.search === undefined ? null : containing(page.search);
  const where = part ? { OR: [{ id: part }, { name: part }, { email: part }] } : {};
  const [items, total] = await Promise.all([
    db().user.findMany({
      where,
      select,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().user.count({ where }),
  ]);
  return { items, total };
}

/**
 * Anybody's account, for operators.
 * @throws DomainError not_found
 */
export async function getAccount(userId: string): Promise<AccountRow> {
  const row = await db().user.findUnique({ where: { id: userId }, select });
  if (!row) throw notFound("account");
  return row;
}
