import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { acquireDatabase } from "@/lib/db/embedded";
import { migrate } from "@/lib/db/migrator";
import "./postgres";

const TEMPLATE = "berth_template";

/** Starts the run's one PostgreSQL and migrates the database that every test copies. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "berth-test-"));
  const dismissJanitor = leaveJanitor(folder);
  const database = await acquireDatabase(folder, { durable: false });
  const stop = async () => {
    await database.release();
    await rm(folder, { recursive: true, force: true });
    dismissJanitor();
  };
  try {
    project.provide("postgresUrl", database.url);
    project.provide("templateDatabase", TEMPLATE);
    await makeTemplate(database.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`).finally(() => client.end());
  const url = new URL(adminUrl);
  url.pathname = TEMPLATE;
  await migrate(url.href);
}

/** Outlives even a kill -9 of the test run: when our end of its pipe closes, it stops the server and removes the folder. */
function leaveJanitor(folder: string): () => void {
  const script = `
    cat > /dev/null
    lock="$1/postgres/data/postmaster.pid"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      [ -f "$lock" ] || break
      kill -INT "$(head -n 1 "$lock")" 2> /dev/null
      sleep 1
    done
    rm -rf "$1"`;
  const janitor = spawn("sh", ["-c", script, "janitor", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  janitor.unref();
  return () => janitor.stdin?.end();
}
