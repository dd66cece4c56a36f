import type { hostTokenStatuses } from "../contract/host-token";
import { db } from "../db/client";
import type { Ctx } from "../kernel/ctx";

/** A host token without its secret, and the hosts of the machine that joined by it. */
export interface HostTokenRow {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  agentId: string | null;
  hostIds: string[];
  status: (typeof hostTokenStatuses)[number];
}

/** One's own host tokens, the newest first. */
export async function listHostTokens(
  ctx: Ctx,
  page: { start: number; limit: number },
): Promise<{ items: HostTokenRow[]; total: number }> {
  const [items, total] = await Promise.all([
    db().$queryRaw<HostTokenRow[]>`
      SELECT t.id, t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt", t.agent_id AS "agentId",
        ARRAY(SELECT h.id FROM host h WHERE h.agent_id = t.agent_id AND h.user_id = t.user_id AND h.deleted_at IS NULL ORDER BY h.slot) AS "hostIds",
        CASE WHEN t.used_at IS NOT NULL THEN 'used' WHEN t.expires_at <= clock_timestamp() THEN 'expired' ELSE 'waiting' END AS status
      FROM host_token t WHERE t.user_id = ${ctx.userId}
      ORDER BY t.created_at DESC, t.id LIMIT ${page.limit} OFFSET ${page.start}`,
    db().hostToken.count({ where: { userId: ctx.userId } }),
  ]);
  return { items, total };
}
