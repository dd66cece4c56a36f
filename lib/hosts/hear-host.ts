import { SILENT_AFTER_SECONDS } from "../billing/meter";
import { inTransaction, type Tx } from "../db/client";
import { lockInstance } from "../instances/lock-instance";
import { comeBack } from "../instances/silence";

/**
 * Takes a report of a host: it is there. After a silence its rented instance costs again, a paid term ends later by the
 * silence, and its offer is back. Only hosts that report are ever silent; the simulated ones run in the workers.
 */
export async function hearHost(hostId: string): Promise<void> {
  await inTransaction(async (tx) => {
    if (await hearAgain(tx, hostId)) return;
    await endSilence(tx, hostId);
  });
}

/** The common case in one statement: it was heard a moment ago, and nothing waits for it. */
async function hearAgain(tx: Tx, hostId: string): Promise<boolean> {
  const heard = await tx.$executeRaw`
    UPDATE host SET last_report_at = clock_timestamp() WHERE id = ${hostId}
      AND last_report_at >= clock_timestamp() - make_interval(secs => ${SILENT_AFTER_SECONDS}::int)
      AND status_reason IS DISTINCT FROM 'agent_unavailable'
      AND NOT EXISTS (SELECT FROM instance i WHERE i.host_id = ${hostId} AND i.silent_since IS NOT NULL AND i.status <> 'destroyed')`;
  return heard > 0;
}

/** Instances before the host and its offer: the order in which everything else locks them. */
async function endSilence(tx: Tx, hostId: string): Promise<void> {
  const rented = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM instance WHERE host_id = ${hostId} AND holds_lease AND status <> 'destroyed' ORDER BY id FOR NO KEY UPDATE`;
  const [clock] = await tx.$queryRaw<{ at: string }[]>`SELECT clock_timestamp()::text AS at`;
  const at = clock?.at ?? "";
  for (const { id } of rented) await comeBack(tx, { ...(await lockInstance(tx, null, id)), at });
  await tx.$executeRaw`
    UPDATE host SET last_report_at = greatest(last_report_at, ${at}::timestamptz), updated_at = now(),
      status = CASE WHEN status_reason = 'agent_unavailable' THEN 'active' ELSE status END,
      status_reason = nullif(status_reason, 'agent_unavailable') WHERE id = ${hostId}`;
  await tx.$executeRaw`
    UPDATE offer SET live = true, updated_at = now() FROM host h
    WHERE h.id = ${hostId} AND offer.host_id = h.id AND h.status = 'active' AND NOT offer.live`;
}
