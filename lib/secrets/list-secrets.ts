import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { SecretRow } from "./create-secret";

/** One's own keys, the newest first. */
export async function listSecrets(
  ctx: Ctx,
  page: { start: number; limit: number },
): Promise<{ items: SecretRow[]; total: number }> {
  const where = { userId: ctx.userId };
  const [items, total] = await Promise.all([
    db().secret.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().secret.count({ where }),
  ]);
  return { items, total };
}
