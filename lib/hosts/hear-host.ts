import { SILENT_AFTER_SECONDS } from "../billing/meter";
import { db, inTransaction, Prisma, type Tx } from "../db/client";
import { lockInstance } from "../instances/lock-instance";
import { comeBack } from "../instances/silence";
import { hostIs, restateHosts } from "./restate-hosts";

/**
 * Takes a sign of life of a host. After a silence its rented instance costs again, a paid term ends later by the
 * silence, and its offer is back. Only hosts that report are ever silent; the simulated ones run in the workers.
 */
export async function hearHost(hostId: string): Promise<void> {
  await inTransaction(async (tx) => {
    const heard = await tx.$executeRaw`
      UPDATE host SET last_report_at = clock_timestamp() WHERE id = ${hostId} AND ${isWithoutSilence}`;
    if (heard === 0) await endSilence(tx, hostId);
  });
}

/**
 * The same for every host of an agent's machine: one statement where none was silent. Each silence ends in a transaction of
 * its own, because an instance is locked before a host, and one of another slot would be locked after it.
 */
export async function hearAgent(agentId: string): Promise<void> {
  const silent = await db().$queryRaw<{ id: string }[]>`
    WITH near AS (
      SELECT id FROM host WHERE agent_id = ${agentId} AND ${isWithoutSilence} ORDER BY id FOR NO KEY UPDATE
    ), heard AS (
      UPDATE host SET last_report_at = clock_timestamp() FROM near WHERE host.id = near.id RETURNING host.id
    ) SELECT id FROM host WHERE agent_id = ${agentId} AND deleted_at IS NULL AND id NOT IN (SELECT id FROM heard) ORDER BY id`;
  for (const { id } of silent) await inTransaction((tx) => endSilence(tx, id));
}

/** The common case: it was heard a moment ago, and nothing waits for it. */
const isWithoutSilence = Prisma.sql`
  last_report_at >= clock_timestamp() - make_interval(secs => ${SILENT_AFTER_SECONDS}::int)
  AND status_reason IS DISTINCT FROM 'agent_unavailable'
  AND NOT EXISTS (SELECT FROM instance i WHERE i.host_id = host.id AND i.silent_since IS NOT NULL AND i.status <> 'destroyed')`;

/** Instances before the host and its offer: the order in which everything else locks them. */
async function endSilence(tx: Tx, hostId: string): Promise<void> {
  const rented = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM instance WHERE host_id = ${hostId} AND holds_lease AND status <> 'destroyed' ORDER BY id FOR NO KEY UPDATE`;
  const [clock] = await tx.$queryRaw<{ at: string }[]>`SELECT clock_timestamp()::text AS at`;
  const at = clock?.at ?? "";
  for (const { id } of rented) await comeBack(tx, { ...(await lockInstance(tx, null, id)), at });
  await tx.$executeRaw`
    UPDATE host SET last_report_at = greatest(last_report_at, ${at}::timestamptz), updated_at = now() WHERE id = ${hostId}`;
  await restateHosts(tx, hostIs(hostId));
}
