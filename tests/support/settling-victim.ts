import { Client } from "pg";
import { onTestFinished } from "vitest";
import { db, Prisma } from "@/lib/db/client";
import { waitUntil } from "./wait-until";

/** The advisory lock of those who settle (lib/billing/settle-usage.ts). */
const SETTLING = 0x62_65_72_02;
/** Held by the test where settlements shall stop just before they are committed. */
const AT_COMMIT = 0x7465_7374;

/** A connection of the test's own, with which it stands in the way of settlers. */
export async function connectBlocker(): Promise<Client> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The test's database under a name by which a victim's connections are known. */
export function urlOf(victim: string): string {
  const url = new URL(process.env.DATABASE_URL ?? "");
  url.searchParams.set("application_name", victim);
  // Else a statement that waits is ended where the server happens to look just after its client was killed.
  url.searchParams.set("options", "-c client_connection_check_interval=0");
  return url.href;
}

/**
 * Lets the commit of every settlement wait while the test holds a lock: its movements are written, and not there yet.
 * Until the end of the test.
 */
export async function makeCommitsWait(): Promise<void> {
  await db().$executeRaw`
    CREATE FUNCTION test_wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${Prisma.raw(String(AT_COMMIT))}); RETURN NULL; END $$`;
  await db().$executeRaw`
    CREATE CONSTRAINT TRIGGER test_wait_at_commit AFTER INSERT ON ledger_movement DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.interval_id IS NOT NULL) EXECUTE FUNCTION test_wait_at_commit()`;
  onTestFinished(async () => {
    await db().$executeRaw`DROP FUNCTION test_wait_at_commit CASCADE`;
  });
}

export type Moment = "in its statement" | "at its commit";

/** Stands in the way of settling, from now on until it is released. */
export async function standInTheWay(blocker: Client, moment: Moment): Promise<() => Promise<unknown>> {
  await blocker.query("BEGIN");
  // The last balance in the order in which they are changed: the movements and all other balances are written by then.
  if (moment === "in its statement") {
    await blocker.query(`SELECT 1 FROM balance WHERE user_id = (
      SELECT max(i.user_id) FROM instance i JOIN meter_interval m ON m.instance_id = i.id
      WHERE m.term IS NULL AND m.ended_at IS NULL) FOR UPDATE`);
  } else await blocker.query(`SELECT pg_advisory_xact_lock(${AT_COMMIT})`);
  return () => blocker.query("ROLLBACK");
}

/** Waits until a victim that holds the lock of settlers is where the test stands in its way. */
export async function waitUntilStopped(victim: string, moment: Moment): Promise<void> {
  const statement = moment === "at its commit" ? "COMMIT%" : "%m.settled_until, m.settled_micro%";
  await waitUntil(`${victim} settles and waits ${moment}`, async () => {
    const found = await db().$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid
      WHERE a.application_name = ${victim} AND a.wait_event_type = 'Lock' AND a.query ILIKE ${statement}
        AND l.locktype = 'advisory' AND l.granted AND l.objid = ${SETTLING}::oid`;
    return found.length > 0;
  });
}

/** Waits until nothing of a dead process is left in the database. */
export async function waitUntilGone(victim: string): Promise<void> {
  await waitUntil(`${victim} has left`, async () => {
    const left = await db().$queryRaw<
      unknown[]
    >`SELECT 1 FROM pg_stat_activity WHERE application_name = ${victim}`;
    return left.length === 0;
  });
}
