import { db } from "../db/client";
import { notFound } from "../kernel/errors";
import { makeToken } from "../kernel/token";

/**
 * A token that lets one machine join for an account, within some hours. `token` is shown this once.
 * @throws DomainError not_found for an unknown account
 */
export async function createHostToken(
  userId: string,
  hours = 1,
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const { id, token, secretHash } = makeToken("ht");
  const [row] = await db().$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO host_token (id, user_id, secret_hash, expires_at)
    SELECT ${id}, u.id, ${new Uint8Array(secretHash)}, now() + make_interval(hours => ${hours}::int) FROM "user" u WHERE u.id = ${userId}
    RETURNING expires_at AS "expiresAt"`;
  if (!row) throw notFound("account");
  return { id, token, expiresAt: row.expiresAt };
}
