import { db } from "../db/client";
import type { ApiKeyRow } from "./api-key-row";

/** The keys of an account, the newest first, revoked and expired ones included. Without a page: all. */
export async function listApiKeys(
  userId: string,
  page?: { start: number; limit: number },
): Promise<{ items: ApiKeyRow[]; total: number }> {
  const where = { userId };
  const [items, total] = await Promise.all([
    db().apiKey.findMany({
      where,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      omit: { secretHash: true, userId: true },
      ...(page && { skip: page.start, take: page.limit }),
    }),
    db().apiKey.count({ where }),
  ]);
  return { items, total };
}
