import { db } from "../db/client";
import { notFound } from "../kernel/errors";
import { forgetKeys } from "./known-keys";

/**
 * Ends a key at once, for good. Repeating it changes nothing.
 * @param owner only a key of this account; another's is a missing one. Absent: an operator's word, for any key
 * @throws DomainError not_found
 */
export async function revokeApiKey(keyId: string, owner?: string): Promise<void> {
  const changed = await db().$executeRaw`
    UPDATE api_key SET revoked_at = coalesce(revoked_at, now())
    WHERE id = ${keyId} AND (${owner ?? null}::text IS NULL OR user_id = ${owner ?? null})`;
  forgetKeys();
  if (changed === 0) throw notFound("API key");
}
