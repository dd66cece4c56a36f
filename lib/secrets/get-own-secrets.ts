import type { Tx } from "../db/client";
import { notFound } from "../kernel/errors";

/**
 * One's own keys by id, held against deletion until the transaction ends, so that attaching them cannot fail after it.
 * @throws DomainError not_found where any is missing or another's
 */
export async function getOwnSecrets(
  tx: Tx,
  userId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string; value: string }[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: string; name: string; value: string }[]>`
    SELECT id, name, value FROM secret WHERE user_id = ${userId} AND id = ANY(${wanted}) ORDER BY id FOR KEY SHARE`;
  if (rows.length < wanted.length) throw notFound("key");
  return rows;
}
