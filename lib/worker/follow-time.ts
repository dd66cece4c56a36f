import { SILENT_AFTER_SECONDS } from "../billing/meter";
import { db, inTransaction, Prisma } from "../db/client";
import { restateHosts } from "../hosts/restate-hosts";
import { eachInstance, type OnError, rethrow } from "./each-instance";

const AT_ONCE = 1000;
const TERM_WARNING_HOURS = 72;

/**
 * Does what time brings about: hosts fall silent, terms end or are renewed, long reboots cost, renters are warned of a
 * term's end. Any worker, each minute; each change is made once, at its own instant, whoever notices it.
 */
export async function followTime(onError: OnError = rethrow): Promise<void> {
  await noticeSilentHosts();
  await eachInstance(await findDue(), onError, async () => undefined); // the lock catches up
  await warnOfTermEnds();
}

async function noticeSilentHosts(): Promise<void> {
  await inTransaction((tx) =>
    restateHosts(
      tx,
      Prisma.sql`h.status_reason IS DISTINCT FROM 'agent_unavailable' AND h.deleted_at IS NULL
        AND h.last_report_at < clock_timestamp() - make_interval(secs => ${SILENT_AFTER_SECONDS}::int)`,
    ),
  );
}

/** Instances on which something has come due; locking one does it. */
async function findDue(): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT i.id FROM instance i LEFT JOIN host h ON h.id = i.host_id
    WHERE i.holds_lease AND i.status <> 'destroyed' AND i.initialized_at IS NOT NULL AND i.silent_since IS NULL AND (
      i.prepaid_until <= clock_timestamp()
      OR h.last_report_at < clock_timestamp() - make_interval(secs => ${SILENT_AFTER_SECONDS}::int)
      OR (i.status = 'rebooting' AND i.status_changed_at < clock_timestamp() - interval '2 minutes'
        AND NOT EXISTS (SELECT FROM meter_interval m WHERE m.instance_id = i.id AND m.ended_at IS NULL)))
    ORDER BY random() LIMIT ${AT_ONCE}`); // one that fails each time does not stand before the others for ever
  return rows.map(({ id }) => id);
}

/** Once a term, 72 hours before its end; of one that is shorter, when it begins. */
async function warnOfTermEnds(): Promise<void> {
  await db().$executeRaw`
    WITH warned AS (
      UPDATE instance SET warned_term = terms
      WHERE prepaid_until < clock_timestamp() + make_interval(hours => ${TERM_WARNING_HOURS}::int) AND warned_term < terms
        AND status <> 'destroyed' AND initialized_at IS NOT NULL AND silent_since IS NULL
      RETURNING id, user_id, prepaid_until, auto_renew
    ) INSERT INTO event (user_id, subject_id, type, data)
      SELECT user_id, id, 'instance.term_ending', jsonb_build_object('prepaid_until', prepaid_until, 'auto_renew', auto_renew) FROM warned`;
}
