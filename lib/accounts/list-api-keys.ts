import { db } from "../db/client";

/** A key without its secret, which nobody has but its owner. */
export interface ApiKeyRow {
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** The keys of an account, the newest first, revoked and expired ones included. */
export async function listApiKeys(userId: string): Promise<{ items: ApiKeyRow[]; total: number }> {
  const items = await db().apiKey.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    omit: { secretHash: true, userId: true },
  });
  return { items, total: items.length };
}
