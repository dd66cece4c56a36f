import type { Tx } from "../db/client";
import { AGENT_CHANNEL } from "./list-wishes";

/** Ends all agents and host tokens of an account: no machine of it is heard any more, and none can join. */
export async function revokeAgents(tx: Tx, userId: string): Promise<void> {
  // Whoever joins by a token holds it, and whoever joins again holds its agent: after these two no host is added.
  await tx.hostToken.deleteMany({ where: { userId } });
  await tx.$queryRaw`
    WITH revoked AS (
      UPDATE agent SET revoked_at = coalesce(revoked_at, clock_timestamp()), address = '' WHERE user_id = ${userId} RETURNING id
    ) SELECT pg_notify(${AGENT_CHANNEL}, id)::text FROM revoked`;
}
