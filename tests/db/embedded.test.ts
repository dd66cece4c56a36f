import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, test, vi } from "vitest";
import { acquireDatabase } from "@/lib/db/embedded";
import { linkLibraries } from "@/lib/db/embedded-binaries";
import { findPid, makeDataFolder } from "../support/data-folder";
import { spawnDatabaseUser } from "../support/spawn-database-user";

const FAST = { durable: false };

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement).finally(() => client.end());
  return rows;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("one user", () => {
  test("RUN-01 starts within a 0700 folder as any user, listening on the loopback address only", async () => {
    const folder = await makeDataFolder();
    const database = await acquireDatabase(folder, FAST);
    const settings = await query(
      database.url,
      "SELECT current_setting('listen_addresses') AS address, current_setting('unix_socket_directories') AS sockets",
    );
    await query(database.url, "CREATE EXTENSION btree_gist");
    const passwordFile = await stat(join(folder, "postgres/password"));
    const dataFolder = await stat(folder);
    await database.release();
    expect(settings).toEqual([{ address: "127.0.0.1", sockets: join(folder, "postgres/data") }]);
    expect(passwordFile.mode & 0o777).toBe(0o600);
    expect(dataFolder.mode & 0o777).toBe(0o700);
  });

  test("RUN-02 keeps data and address from one run to the next, and stops its server at the end of each", async () => {
    const folder = await makeDataFolder();
    const first = await acquireDatabase(folder);
    await query(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    const pid = await findPid(folder);
    await first.release();
    expect(pid).not.toBeNull();
    await expect.poll(() => isAlive(pid ?? 0)).toBe(false); // a process that has ended is there until it is reaped
    const second = await acquireDatabase(folder);
    expect(await query(second.url, "TABLE kept")).toEqual([{ answer: 42 }]);
    expect(second.url).toBe(first.url);
    await second.release();
  });

  test("RUN-03 refuses a wrong password", async () => {
    const database = await acquireDatabase(await makeDataFolder(), FAST);
    const url = new URL(database.url);
    url.password = "guessed";
    await expect(query(url.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
    await database.release();
  });

  test("RUN-04 starts the server again, at the same address, when it is killed under its user", async () => {
    const folder = await makeDataFolder();
    const states: string[] = [];
    const database = await acquireDatabase(folder, { onChange: (state) => states.push(state) });
    await query(database.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    const pid = await findPid(folder);
    if (pid) process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(states).toEqual(["lost", "restored"]), { timeout: 20_000 });
    expect(await query(database.url, "TABLE kept")).toEqual([{ answer: 42 }]);
    await database.release();
    expect(await findPid(folder)).toBeNull();
  });

  test("RUN-05 runs in a session of its own, out of reach of a terminal's Ctrl-C", async () => {
    const folder = await makeDataFolder();
    const database = await acquireDatabase(folder, FAST);
    const pid = await findPid(folder);
    const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
    await database.release();
    expect(Number(fields[2]), "process group").toBe(pid);
    expect(Number(fields[3]), "session").toBe(pid);
  });
});

describe("several users", () => {
  test("RUN-06 makes one server for processes that start at once on an empty folder", async () => {
    const folder = await makeDataFolder();
    const users = Array.from({ length: 4 }, () => spawnDatabaseUser("use", folder));
    const urls = await Promise.all(users.map((user) => user.ready));
    expect(new Set(urls).size).toBe(1);
    expect(await readdir(folder)).toEqual(["postgres"]);
    await Promise.all(users.map((user) => user.leave()));
    expect(await findPid(folder)).toBeNull();
  });

  test("RUN-07 is stopped by the last to leave, and by none before", async () => {
    const folder = await makeDataFolder();
    const first = await acquireDatabase(folder, FAST);
    const second = spawnDatabaseUser("use", folder);
    const url = await second.ready;
    await first.release();
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await second.leave();
    expect(await findPid(folder)).toBeNull();
  });

  test("RUN-08 loses nothing while processes come, go and are killed at random", async () => {
    const folder = await makeDataFolder();
    const first = await acquireDatabase(folder, FAST);
    await query(first.url, "CREATE TABLE visit (n int)");
    await first.release();
    let visits = 0;
    const come = async (worker: number) => {
      for (let round = 0; round < 5; round += 1) {
        const database = await acquireDatabase(folder, FAST);
        await query(database.url, "INSERT INTO visit VALUES (1)");
        visits += 1;
        await sleep((worker * 37 + round * 61) % 150);
        await database.release();
      }
    };
    const beKilled = async () => {
      for (let round = 0; round < 3; round += 1) {
        const user = spawnDatabaseUser("use", folder);
        await user.ready;
        await user.kill();
      }
    };
    await Promise.all([come(1), come(2), come(3), beKilled()]);
    const last = await acquireDatabase(folder, FAST);
    expect(await query(last.url, "SELECT count(*)::int AS n FROM visit")).toEqual([{ n: visits }]);
    await last.release();
    expect(await findPid(folder)).toBeNull();
  });
});

describe("after a kill", () => {
  test("RUN-09 uses the server that a killed run left", async () => {
    const folder = await makeDataFolder();
    const killed = spawnDatabaseUser("use", folder);
    const url = await killed.ready;
    const pid = await findPid(folder);
    await killed.kill();
    const database = await acquireDatabase(folder, FAST);
    expect(database.url).toBe(url);
    expect(await findPid(folder)).toBe(pid);
    await database.release();
    expect(await findPid(folder)).toBeNull();
  });

  test("RUN-10 starts over the lock file of a dead server, also when another program has its pid now", async () => {
    const folder = await makeDataFolder();
    await (await acquireDatabase(folder, FAST)).release();
    const file = join(folder, "postgres/data/postmaster.pid");
    const port = (await readFile(join(folder, "postgres/port"), "utf8")).trim();
    for (const pid of [process.pid, process.ppid, 2 ** 22 - 1]) {
      await writeFile(file, `${pid}\n${folder}\n0\n1\n\n127.0.0.1\n0 0\nready   \n`);
      await writeFile(join(folder, `postgres/data/.s.PGSQL.${port}.lock`), `${pid}\n${folder}\n0\n${port}\n`);
      const database = await acquireDatabase(folder, FAST);
      expect(await query(database.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      await database.release();
      expect(new URL(database.url).port).toBe(port);
    }
  });

  test("RUN-16 is reached by its port where the data folder takes no Unix socket", async () => {
    const folder = await makeDataFolder();
    await (await acquireDatabase(folder, FAST)).release();
    const port = (await readFile(join(folder, "postgres/port"), "utf8")).trim();
    await mkdir(join(folder, `postgres/data/.s.PGSQL.${port}`)); // no socket can be made under this name
    const database = await acquireDatabase(folder, FAST);
    expect(new URL(database.url)).toMatchObject({ port, search: "" });
    expect(await query(database.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await database.release();
  });

  test("RUN-15 is reached by its port where the folder's path is too long for a Unix socket", async () => {
    const folder = join(await makeDataFolder(), "a-long-name".repeat(9));
    const database = await acquireDatabase(folder, FAST);
    expect(new URL(database.url).search).toBe("");
    expect(await query(database.url, "SELECT current_setting('unix_socket_directories') AS sockets")).toEqual(
      [{ sockets: "" }],
    );
    await database.release();
  });

  test("RUN-11 starts after server and user were killed together, and loses nothing that was committed", async () => {
    const folder = await makeDataFolder();
    const user = spawnDatabaseUser("use", folder);
    await query(await user.ready, "CREATE TABLE kept AS SELECT 42 AS answer");
    const pid = await findPid(folder);
    await user.kill();
    if (pid) process.kill(pid, "SIGKILL");
    const database = await acquireDatabase(folder, FAST);
    expect(await query(database.url, "TABLE kept")).toEqual([{ answer: 42 }]);
    await database.release();
  });

  test("RUN-12 starts after a kill at any moment of the making of the database, and tidies up", async () => {
    const folder = await makeDataFolder();
    for (const waitMs of [50, 250, 500, 700]) {
      const user = spawnDatabaseUser("use", folder);
      await vi.waitFor(async () => expect((await readdir(folder)).length).toBeGreaterThan(0), {
        timeout: 60_000,
      });
      await sleep(waitMs);
      await user.kill();
    }
    const database = await acquireDatabase(folder, FAST);
    expect(await query(database.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await database.release();
    await (await acquireDatabase(folder, FAST)).release();
    expect(await findPid(folder)).toBeNull();
  });
});

test("RUN-13 says what to do where the data folder is of another PostgreSQL, or is not one", async () => {
  const folder = await makeDataFolder();
  await mkdir(join(folder, "postgres/data"), { recursive: true });
  await writeFile(join(folder, "postgres/data/PG_VERSION"), "17\n");
  await expect(acquireDatabase(folder)).rejects.toThrow(/PostgreSQL 17 database, .* set DATA_DIR/);
  await expect(acquireDatabase("/dev/null/data")).rejects.toThrow(/cannot be used .* DATA_DIR/);
});

test("RUN-14 makes the library links that npm left out, by several at once and again", async () => {
  const folder = await makeDataFolder();
  const home = join(folder, "native");
  await mkdir(join(home, "lib"), { recursive: true });
  await writeFile(join(home, "lib/libpq.so.5.18"), "library");
  const links = ["libpq.so", "libpq.so.5"].map((name) => ({
    source: "native/lib/libpq.so.5.18",
    target: `native/lib/${name}`,
  }));
  await writeFile(join(home, "pg-symlinks.json"), JSON.stringify(links));
  await symlink("libpq.so.5.18", join(home, "lib/libpq.so"));
  await Promise.all([linkLibraries(home), linkLibraries(home), linkLibraries(home)]);
  await linkLibraries(home);
  expect((await readdir(join(home, "lib"))).sort()).toEqual(["libpq.so", "libpq.so.5", "libpq.so.5.18"]);
  expect(await readFile(join(home, "lib/libpq.so.5"), "utf8")).toBe("library");
});
