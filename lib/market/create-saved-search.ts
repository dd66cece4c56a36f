import { inTransaction, type Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField } from "../kernel/errors";
import { newId } from "../kernel/ids";

export type SavedSearchRow = Prisma.SavedSearchGetPayload<object>;

const MOST = 100;

/**
 * Keeps a search. The account's row is locked, so that two at once count each other.
 * @throws ValidationError for a name that is taken and for the 101st
 */
export function createSavedSearch(
  ctx: Ctx,
  wish: { name: string; search: Prisma.InputJsonObject },
): Promise<SavedSearchRow> {
  return inTransaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM "user" WHERE id = ${ctx.userId} FOR NO KEY UPDATE`;
    const { name, search } = wish;
    const { userId } = ctx;
    if (await tx.savedSearch.findUnique({ where: { userId_name: { userId, name } } })) {
      throw invalidField(
        ["body", "name"],
        "You have a saved search of this name. Choose another, or delete that one.",
      );
    }
    if ((await tx.savedSearch.count({ where: { userId } })) >= MOST) {
      throw invalidField(["body"], `You have ${MOST} saved searches. Delete one first.`);
    }
    return tx.savedSearch.create({ data: { id: newId("search"), userId, name, search } });
  });
}
