import { db } from "../db/client";
import { openPassword } from "../templates/registry-password";
import type { AgentCaller } from "./authenticate-agent";

/**
 * The registry password of an instance on the agent's own machine, only while its image is still to be pulled: until it
 * first ran. A host owner cannot read it later.
 * @returns null where there is none, or not any more
 */
export async function openRegistryPassword(
  { agentId }: AgentCaller,
  instanceId: string,
): Promise<string | null> {
  const [row] = await db().$queryRaw<{ sealed: Uint8Array | null }[]>`
    SELECT i.docker_password_sealed AS sealed
    FROM host h JOIN host_container c ON c.host_id = h.id JOIN instance i ON i.id = c.instance_id
    WHERE h.agent_id = ${agentId} AND i.id = ${instanceId} AND i.wanted = 'running'
      AND i.status = 'pending' AND i.initialized_at IS NULL AND c.state IN ('waiting', 'pulling')`;
  return row?.sealed ? openPassword(Buffer.from(row.sealed), `instance:${instanceId}`) : null;
}
