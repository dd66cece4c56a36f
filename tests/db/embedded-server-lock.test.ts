import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, inject, test, vi } from "vitest";
import { holdServerLock } from "@/lib/db/server-lock";
import { findPid, makeDataFolder } from "../support/data-folder";
import { createTestDatabase } from "../support/postgres";
import { spawnDatabaseUser } from "../support/spawn-database-user";
import { waitUntil } from "../support/wait-until";

const { url } = await createTestDatabase({ empty: true });
const room = await mkdtemp(join(inject("scratchFolder"), "lock-"));

/** Of this file's database: others use the same server at the same time. */
const OWN_LOCK =
  "locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

async function breakLockConnections(): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name LIKE 'berth server %' AND datname = current_database()`,
  );
  await client.end();
}

test("RUN-20 lets one server have a data folder, and names it to the second", async () => {
  const folder = join(room, "one");
  const first = await holdServerLock(folder, url);
  const refused = holdServerLock(folder, url, 300);
  await expect(refused).rejects.toThrow(`Another Berth server (process ${process.pid}) is running on`);
  await expect(refused).rejects.toThrow(/Stop it first, or .* DATA_DIR/);
  await first.release();
  await (await holdServerLock(folder, url, 300)).release();
});

test("RUN-21 waits for a server that is draining", async () => {
  const folder = join(room, "draining");
  const first = await holdServerLock(folder, url);
  const second = holdServerLock(folder, url, 10_000);
  await sleep(300);
  await first.release();
  await (await second).release();
});

test("RUN-22 knows a folder under every name, and lets folders of their own be", async () => {
  await mkdir(join(room, "real"));
  await symlink(join(room, "real"), join(room, "other-name"));
  const first = await holdServerLock(join(room, "real"), url);
  await expect(holdServerLock(join(room, "other-name"), url, 200)).rejects.toThrow(/Another Berth server/);
  const neighbour = await holdServerLock(join(room, "neighbour"), url, 200);
  await neighbour.release();
  await first.release();
});

test("RUN-23 tells the holder when its lock is lost, and takes it again", async () => {
  const changes: string[] = [];
  const lock = await holdServerLock(join(room, "broken"), url, 500, (change) => changes.push(change));
  await breakLockConnections();
  await vi.waitFor(() => expect(changes).toEqual(["lost", "held"]), { timeout: 20_000 });
  await expect(holdServerLock(join(room, "broken"), url, 200)).rejects.toThrow(/Another Berth server/);
  await lock.release();
  expect(changes).toEqual(["lost", "held"]);
});

test("RUN-24 tells the holder when another server has its lock", async () => {
  const folder = join(room, "taken");
  const changes: string[] = [];
  const lock = await holdServerLock(folder, url, 300, (change) => changes.push(change));
  // The second waits already, so that the lock is its own in the instant in which the first loses it.
  const second = holdServerLock(folder, url, 10_000);
  const client = new Client({ connectionString: url });
  await client.connect();
  await waitUntil("the second to wait", async () => {
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND ${OWN_LOCK}`;
    return (await client.query(waiting)).rowCount === 1;
  });
  await client.query(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.granted AND ${OWN_LOCK} AND a.application_name LIKE 'berth server %'`,
  );
  await client.end();
  await vi.waitFor(() => expect(changes).toEqual(["lost", "taken"]), { timeout: 20_000 });
  await (await second).release();
  await lock.release();
});

test("RUN-25 leaves nothing behind when a server is killed", async () => {
  const folder = await makeDataFolder();
  const killed = spawnDatabaseUser("serve", folder);
  await killed.ready;
  const refused = spawnDatabaseUser("serve", folder);
  await sleep(1_000);
  await killed.kill();
  expect(await refused.ready).toMatch(/^postgres:/);
  await refused.leave();
  expect(await findPid(folder)).toBeNull();
});
