import type { Tx } from "../db/client";
import { DomainError } from "../kernel/errors";
import { parseToken } from "../kernel/token";

/** A host token that lets in, locked until the transaction ends. */
export interface LockedHostToken {
  id: string;
  userId: string;
  /** The agent that joined by it before, which is the same machine. */
  agentId: string | null;
}

/**
 * A token is good for one machine. The same machine, by its SSH host key, may use it again within its time: an answer that
 * was lost must not cost a token. Once it has reported, it has its secret: a token that somebody found then takes over nothing.
 * @param fingerprint of the machine's SSH host key; null: one that cannot come again
 * @throws DomainError invalid_api_key for a token that is used, expired or unknown
 */
export async function lockHostToken(
  tx: Tx,
  token: string | null,
  fingerprint: string | null,
): Promise<LockedHostToken> {
  const parsed = parseToken("ht", token ?? "");
  // Locked before it is read: what another one that joins by it has just written must be seen.
  if (parsed) await tx.$queryRaw`SELECT 1 FROM host_token WHERE id = ${parsed.id} FOR UPDATE`;
  const [row] = parsed
    ? await tx.$queryRaw<LockedHostToken[]>`
        SELECT t.id, t.user_id AS "userId", a.id AS "agentId" FROM host_token t JOIN "user" u ON u.id = t.user_id
          LEFT JOIN agent a ON a.id = t.agent_id
        WHERE t.id = ${parsed.id} AND t.secret_hash = ${new Uint8Array(parsed.secretHash)} AND t.expires_at > clock_timestamp()
          AND u.suspended_at IS NULL
          AND (t.used_at IS NULL OR (a.fingerprint = ${fingerprint} AND a.revoked_at IS NULL AND a.report_number IS NULL))`
    : [];
  if (row) return row;
  throw new DomainError(
    "invalid_api_key",
    "The host token is used, expired or unknown. It is good for one machine, once: ask for a new one (in the market's dashboard, or there: npm run -s berth -- host token create).",
  );
}

/** Writes down which agent joined by a locked token. */
export async function spendHostToken(tx: Tx, { id }: LockedHostToken, agentId: string): Promise<void> {
  await tx.$executeRaw`UPDATE host_token SET used_at = clock_timestamp(), agent_id = ${agentId} WHERE id = ${id}`;
}
