import type { ReportBody, Seen } from "../contract/agent-protocol";
import { inTransaction, type Tx } from "../db/client";
import { hearAgent } from "../hosts/hear-host";
import { agentIs, restateHosts } from "../hosts/restate-hosts";
import { WORK_CHANNEL } from "../instances/move-instance";
import { appendLogs, recordMetrics } from "../telemetry/record-telemetry";
import type { AgentCaller } from "./authenticate-agent";
import { keepToMachine, type Place } from "./keep-to-machine";

/**
 * Takes what an agent sees on its machine; of instances that are not on its own hosts nothing is taken. What changed wakes
 * the workers, who alone move an instance. The agent's row is locked first: its reports are taken one by one, and one that
 * was overtaken by a newer one is passed over.
 * @returns the newest line that is kept of each reported instance, in nanoseconds
 */
export async function takeReport(
  { agentId }: AgentCaller,
  report: ReportBody,
): Promise<{ logsUntil: Record<string, string> }> {
  await hearAgent(agentId);
  return inTransaction(async (tx) => {
    const machine = await openReport(tx, agentId, report);
    if (!machine) return { logsUntil: {} };
    const latest = new Map(report.seen.map((one) => [one.instanceId, one]));
    const own = await lockOwn(tx, agentId, [...latest.keys(), ...Object.keys(report.logs)]);
    const seen = [...latest.values()].filter(({ instanceId }) => own.has(instanceId));
    await writeSeen(
      tx,
      seen.map((one) => keepToMachine(one, machine)),
    );
    await recordMetrics(
      tx,
      seen.flatMap(({ instanceId, state, stats }) =>
        stats && state === "running" ? [{ instanceId, ...stats }] : [],
      ),
    );
    const lines = Object.entries(report.logs)
      .filter(([instanceId]) => own.has(instanceId))
      .flatMap(([instanceId, of]) => of.map((line) => ({ instanceId, ...line })));
    const logsUntil = Object.fromEntries(await appendLogs(tx, [...own], lines));
    await noteEngine(tx, agentId, report.engineAvailable); // locks hosts and offers: after the instances
    return { logsUntil };
  });
}

/** @returns where the machine is; null for a report that a newer one has overtaken */
async function openReport(tx: Tx, agentId: string, { number }: ReportBody): Promise<Place | null> {
  const [place] = await tx.$queryRaw<Place[]>`
    UPDATE agent SET report_number = coalesce(${number ?? null}::float8, report_number)
    WHERE id = ${agentId} AND revoked_at IS NULL AND (report_number >= ${number ?? null}::float8) IS NOT TRUE
    RETURNING address, first_port AS "firstPort", last_port AS "lastPort"`;
  return place ?? null;
}

async function noteEngine(tx: Tx, agentId: string, isAvailable: boolean): Promise<void> {
  const changed = await tx.$executeRaw`
    UPDATE agent SET engine_available = ${isAvailable} WHERE id = ${agentId} AND engine_available <> ${isAvailable}`;
  if (changed > 0) await restateHosts(tx, agentIs(agentId));
}

/** Instances before their containers: the order in which workers lock them. */
async function lockOwn(tx: Tx, agentId: string, instanceIds: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT i.id FROM instance i JOIN host h ON h.id = i.host_id
    WHERE i.id = ANY(${instanceIds}) AND h.agent_id = ${agentId} AND i.runtime = 'docker'
    ORDER BY i.id FOR NO KEY UPDATE OF i`;
  return new Set(rows.map(({ id }) => id));
}

/** Only what differs is written and wakes a worker: an unchanged report costs one read. */
async function writeSeen(tx: Tx, seen: Seen[]): Promise<void> {
  if (seen.length === 0) return;
  const rows = JSON.stringify(seen.map(({ stats, ...row }) => row));
  await tx.$executeRaw`
    WITH seen AS (
      SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS s("instanceId" text, boot int, state text, message text,
        "containerId" text, address text, "sshPort" int, ports jsonb, "uiUrl" text)
    ), gone AS (
      DELETE FROM host_container c USING seen s, instance i
      WHERE c.instance_id = s."instanceId" AND i.id = c.instance_id AND s.state = 'gone' AND i.wanted = 'destroyed'
      RETURNING c.instance_id
    ), changed AS (
      UPDATE host_container c SET boot = s.boot, state = s.state, message = s.message, container_id = s."containerId",
        address = s.address, ssh_port = s."sshPort", ports = s.ports, ui_url = s."uiUrl", reported_at = clock_timestamp()
      FROM seen s WHERE c.instance_id = s."instanceId" AND s.state <> 'gone'
        AND (c.boot, c.state, c.message, c.container_id, c.address, c.ssh_port, c.ports, c.ui_url)
          IS DISTINCT FROM (s.boot, s.state, s.message, s."containerId", s.address, s."sshPort", s.ports, s."uiUrl")
      RETURNING c.instance_id
    ), due AS (
      UPDATE instance SET due_at = clock_timestamp() WHERE id IN (SELECT instance_id FROM gone UNION ALL SELECT instance_id FROM changed)
      RETURNING id
    ) SELECT pg_notify(${WORK_CHANNEL}, '') FROM due`;
}
