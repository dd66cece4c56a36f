import { openMeter, SILENT_AFTER_SECONDS } from "../billing/meter";
import { Prisma, type Tx } from "../db/client";
import { endTerm } from "./end-term";
import type { LockedInstance } from "./instance-row";
import { goSilent } from "./silence";

/** Minutes of a reboot that cost nothing. */
const FREE_REBOOT_MINUTES = 2;

/** What has come due on an instance, on the database's clock. */
interface Due {
  at: string;
  /** The host's last report, where the host has been silent since and this is not known yet. */
  silentFrom: string | null;
  termEnd: string | null;
  rebootMeteredFrom: string | null;
}

/**
 * Does to a locked instance what time has brought about, each at its own instant and in their order: terms end or are
 * renewed, a long reboot costs, a host falls silent. How late it is noticed changes no amount.
 */
export async function catchUp(tx: Tx, instanceId: string): Promise<LockedInstance> {
  let row = await read(tx, instanceId);
  let due = await readDue(tx, row);
  while (due.termEnd !== null) {
    await endTerm(tx, { ...row, at: due.termEnd });
    row = await read(tx, instanceId, row.at);
    due = await readDue(tx, row);
  }
  if (due.rebootMeteredFrom !== null) {
    const interval = { kind: "running", rateMicro: row.uptimeMicro, term: null } as const;
    await openMeter(tx, { id: row.id, at: due.rebootMeteredFrom }, interval);
  }
  if (due.silentFrom !== null) {
    await goSilent(tx, { ...row, at: due.silentFrom });
    row = await read(tx, instanceId, row.at);
  }
  return row;
}

async function read(tx: Tx, instanceId: string, at?: string): Promise<LockedInstance> {
  const row = await tx.instance.findUniqueOrThrow({ where: { id: instanceId } });
  if (at !== undefined) return { ...row, at };
  const [clock] = await tx.$queryRaw<{ at: string }[]>`SELECT clock_timestamp()::text AS at`;
  return { ...row, at: clock?.at ?? "" };
}

async function readDue(tx: Tx, row: LockedInstance): Promise<Due> {
  const [due] = await tx.$queryRaw<Due[]>`
    WITH seen AS (
      SELECT i.*, CASE WHEN i.silent_since IS NULL AND i.initialized_at IS NOT NULL AND i.status <> 'destroyed'
          AND h.last_report_at < ${row.at}::timestamptz - make_interval(secs => ${SILENT_AFTER_SECONDS}::int)
        THEN h.last_report_at END AS silent_from
      FROM instance i LEFT JOIN host h ON h.id = i.host_id WHERE i.id = ${row.id}
    ), known AS (
      SELECT seen.*, coalesce(silent_since, silent_from, ${row.at}::timestamptz) AS until,
        status_changed_at + make_interval(mins => ${FREE_REBOOT_MINUTES}::int) AS reboot_end
      FROM seen
    )
    SELECT ${row.at} AS at, silent_from::text AS "silentFrom",
      CASE WHEN prepaid_until <= until AND initialized_at IS NOT NULL AND status <> 'destroyed' THEN prepaid_until::text END AS "termEnd",
      CASE WHEN status = 'rebooting' AND prepaid_until IS NULL AND silent_since IS NULL AND reboot_end <= until AND ${noOpenInterval}
        THEN reboot_end::text END AS "rebootMeteredFrom"
    FROM known`;
  if (!due) throw new Error("an instance that is not there");
  return due;
}

const noOpenInterval = Prisma.sql`NOT EXISTS (SELECT FROM meter_interval m WHERE m.instance_id = known.id AND m.ended_at IS NULL)`;
