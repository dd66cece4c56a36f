import { inTransaction } from "../db/client";
import { agentIs, restateHosts } from "../hosts/restate-hosts";
import { notFound } from "../kernel/errors";
import { AGENT_CHANNEL } from "./list-wishes";

/**
 * Voids the secret of the agent behind a host: nothing that it says is heard any more. The machine can join anew, with a
 * host token, as other hosts.
 * @returns the agent's id
 * @throws DomainError not_found, also for a host without an agent
 */
export async function revokeAgent(hostId: string): Promise<string> {
  return inTransaction(async (tx) => {
    const [agent] = await tx.$queryRaw<{ id: string }[]>`
      UPDATE agent SET revoked_at = coalesce(revoked_at, clock_timestamp())
      FROM host h WHERE h.id = ${hostId} AND agent.id = h.agent_id RETURNING agent.id`;
    if (!agent) throw notFound("host with an agent");
    await restateHosts(tx, agentIs(agent.id));
    await tx.$executeRaw`SELECT pg_notify(${AGENT_CHANNEL}, ${agent.id})`; // ends its long poll
    return agent.id;
  });
}
