import type { Scope } from "../contract/words";
import { inTransaction, Prisma } from "../db/client";
import { DomainError, notFound } from "../kernel/errors";
import { makeToken } from "../kernel/token";
import { type ApiKeyRow, apiKeyColumns, type NewApiKeyRow, requireScopesWithin } from "./api-key-row";
import { forgetKeys } from "./known-keys";

interface Roll {
  userId: string;
  keyId: string;
  /** How long the old key stays good beside the new one; never longer than it would have been. */
  graceHours: number;
  /** What the caller may do; the key may do no more. */
  within: ReadonlySet<Scope>;
}

/**
 * Replaces one's own key by a new one of the same name, scopes and expiry. Of two at once, without a grace, one wins.
 * @throws DomainError not_found · scope_missing · invalid_state for a key that is revoked or expired
 */
export async function rollApiKey({ userId, keyId, graceHours, within }: Roll): Promise<NewApiKeyRow> {
  const rolled = await inTransaction(async (tx) => {
    const [old] = await tx.$queryRaw<{ scopes: string[]; ended: boolean }[]>`
      SELECT scopes, revoked_at IS NOT NULL OR coalesce(expires_at <= clock_timestamp(), false) AS ended
      FROM api_key WHERE id = ${keyId} AND user_id = ${userId} FOR UPDATE`;
    if (!old) throw notFound("API key");
    requireScopesWithin(old.scopes, within);
    if (old.ended) {
      throw new DomainError("invalid_state", "This key is revoked or has expired. Create a new one instead.");
    }
    const { id, token, secretHash } = makeToken("ak");
    const [made] = await tx.$queryRaw<ApiKeyRow[]>`
      INSERT INTO api_key (id, user_id, name, secret_hash, scopes, expires_at)
      SELECT ${id}, user_id, name, ${new Uint8Array(secretHash)}, scopes, expires_at FROM api_key WHERE id = ${keyId}
      RETURNING ${apiKeyColumns}`;
    if (!made) throw new Error("a locked key is gone");
    const end =
      graceHours === 0
        ? Prisma.sql`revoked_at = clock_timestamp()`
        : Prisma.sql`expires_at = least(expires_at, clock_timestamp() + make_interval(hours => ${graceHours}::int))`;
    await tx.$executeRaw`UPDATE api_key SET ${end} WHERE id = ${keyId}`;
    return { ...made, apiKey: token };
  });
  forgetKeys();
  return rolled;
}
