import { SILENT_AFTER_SECONDS } from "../billing/meter";
import { Prisma, type Tx } from "../db/client";
import { env } from "../env";

/**
 * Lets status, reason and offer of hosts follow the facts: one place says what a host may be rented for. What only a
 * person can end (maintenance, a fault of the platform) stays. Of several reasons the first of this list is told.
 * The rows are locked, in the order of their ids, before anything is read: a reason that another transaction has found
 * meanwhile, such as a ban, must be seen and not written over.
 * @param which a condition on the host's row `h`
 */
export async function restateHosts(tx: Tx, which: Prisma.Sql): Promise<void> {
  const mustBeVerified = env().REQUIRE_VERIFIED_HOSTS === "1";
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT h.id FROM host h WHERE ${which} ORDER BY h.id FOR NO KEY UPDATE`;
  if (locked.length === 0) return;
  await tx.$executeRaw`
    WITH facts AS (
      SELECT h.id, CASE
        WHEN h.deleted_at IS NOT NULL THEN 'withdrawn'
        WHEN h.banned_at IS NOT NULL THEN 'banned'
        WHEN h.status_reason IN ('maintenance', 'server_fail') THEN h.status_reason
        WHEN h.withdrawn_at IS NOT NULL THEN 'withdrawn'
        WHEN h.last_report_at < clock_timestamp() - make_interval(secs => ${SILENT_AFTER_SECONDS}::int)
          OR (h.runtime = 'docker' AND (h.last_report_at IS NULL OR a.id IS NULL OR a.revoked_at IS NOT NULL)) THEN 'agent_unavailable'
        WHEN a.failures <> '[]' THEN 'self_test_failed'
        WHEN NOT a.engine_available THEN 'engine_unavailable'
        WHEN h.runtime = 'docker' AND a.reachable IS NOT TRUE THEN 'not_reachable'
        WHEN ${mustBeVerified} AND h.verified_at IS NULL THEN 'not_verified'
        WHEN EXISTS (SELECT FROM offer o WHERE o.host_id = h.id AND o.price_micro IS NULL) THEN 'price_not_set'
      END AS reason
      FROM host h LEFT JOIN agent a ON a.id = h.agent_id WHERE h.id = ANY(${locked.map(({ id }) => id)})
    ), restated AS (
      UPDATE host SET status_reason = reason, updated_at = now(), status = CASE
        WHEN reason IS NULL THEN 'active'
        WHEN reason = 'maintenance' THEN 'maintenance'
        WHEN reason IN ('self_test_failed', 'engine_unavailable', 'not_reachable', 'server_fail') THEN 'error'
        ELSE 'inactive' END
      FROM facts WHERE host.id = facts.id
        AND (host.status_reason IS DISTINCT FROM reason OR (reason IS NULL) <> (host.status = 'active'))
    ) UPDATE offer SET live = reason IS NULL, updated_at = now() FROM facts
      WHERE offer.host_id = facts.id AND offer.live <> (reason IS NULL)`;
}

/** A condition for `restateHosts`. */
export function hostIs(hostId: string): Prisma.Sql {
  return Prisma.sql`h.id = ${hostId}`;
}

/** A condition for `restateHosts`. */
export function agentIs(agentId: string): Prisma.Sql {
  return Prisma.sql`h.agent_id = ${agentId}`;
}
