import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { acquireDatabase } from "@/lib/db/embedded";
import { migrate } from "@/lib/db/migrator";
import "./postgres";

const TEMPLATE = "berth_template";

/** Starts the run's one PostgreSQL and migrates the database that every test copies. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const compiled = await promisify(execFile)(process.execPath, ["scripts/prepare.mjs", "--tests"]);
  process.stderr.write(compiled.stderr);
  const folder = await mkdtemp(join(tmpdir(), "berth-test-"));
  const cleanUp = leaveJanitor(folder);
  try {
    const database = await acquireDatabase(folder, { durable: false });
    project.provide("scratchFolder", folder);
    project.provide("postgresUrl", database.url);
    project.provide("templateDatabase", TEMPLATE);
    await makeTemplate(database.url);
    return async () => {
      await database.release();
      await cleanUp();
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`).finally(() => client.end());
  const url = new URL(adminUrl);
  url.pathname = TEMPLATE;
  await migrate(url.href);
}

/**
 * Outlives even a kill -9 of the test run: when our end of its pipe closes, it stops every server under the folder, also
 * those of tests that were killed, and removes the folder. The function does the same now and waits for it.
 */
function leaveJanitor(folder: string): () => Promise<void> {
  const script = `
    cat > /dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      locks=$(find "$1" -name postmaster.pid)
      [ -n "$locks" ] || break
      for lock in $locks; do kill -INT "$(head -n 1 "$lock")" 2> /dev/null; done
      sleep 1
    done
    rm -rf "$1"`;
  const janitor = spawn("sh", ["-c", script, "janitor", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const done = once(janitor, "exit");
  janitor.unref();
  return async () => {
    janitor.ref();
    janitor.stdin.end();
    await done;
  };
}
