import { db } from "../db/client";
import { makeToken, parseToken, secretHashesEqual } from "../kernel/token";

/** Who calls under /agent. Everything an agent may see hangs on hosts of this id. */
export interface AgentCaller {
  agentId: string;
  userId: string;
}

const PREFIX = "agent_";

/** An agent's row by the id in its secret. */
export function agentIdOf(tokenId: string): string {
  return PREFIX + tokenId;
}

/** A new secret of an agent. */
export function makeAgentToken(agentId: string) {
  return makeToken("ag", agentId.slice(PREFIX.length));
}

/**
 * The agent behind a secret; null where it is malformed, unknown or revoked, or its account is suspended. The secret from
 * before a rotation is good until the new one is first used, so that an answer which was lost locks nobody out.
 */
export async function authenticateAgent(token: string): Promise<AgentCaller | null> {
  const parsed = parseToken("ag", token);
  if (!parsed) return null;
  const agentId = agentIdOf(parsed.id);
  const [row] = await db().$queryRaw<{ userId: string; current: Uint8Array; previous: Uint8Array | null }[]>`
    SELECT a.user_id AS "userId", a.secret_hash AS current, a.previous_secret_hash AS previous
    FROM agent a JOIN "user" u ON u.id = a.user_id
    WHERE a.id = ${agentId} AND a.revoked_at IS NULL AND u.suspended_at IS NULL`;
  if (!row) return null;
  const caller = { agentId, userId: row.userId };
  if (secretHashesEqual(Buffer.from(row.current), parsed.secretHash)) {
    if (row.previous) {
      await db().$executeRaw`
        UPDATE agent SET previous_secret_hash = NULL WHERE id = ${agentId} AND secret_hash = ${new Uint8Array(parsed.secretHash)}`;
    }
    return caller;
  }
  return row.previous && secretHashesEqual(Buffer.from(row.previous), parsed.secretHash) ? caller : null;
}

/** A new secret for an agent. The old one is good until the new one is first used. */
export async function rotateAgentSecret({ agentId }: AgentCaller, presented: string): Promise<string> {
  const kept = parseToken("ag", presented);
  const { token, secretHash } = makeAgentToken(agentId);
  await db().$executeRaw`
    UPDATE agent SET secret_hash = ${new Uint8Array(secretHash)}, secret_at = now(),
      previous_secret_hash = ${kept ? new Uint8Array(kept.secretHash) : null} WHERE id = ${agentId}`;
  return token;
}
