import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";
import { acquireDatabase } from "@/lib/db/embedded";
import { ensureCluster } from "@/lib/db/embedded-cluster";
import { findPostmaster, launchPostmaster, stopPostmaster } from "@/lib/db/embedded-postmaster";
import { migrate } from "@/lib/db/migrator";
import { waitUntil } from "./wait-until";

/** A PostgreSQL that nobody but the test starts again. */
export interface DatabaseServer {
  url: string;
  start(): Promise<void>;
  /** A fast stop: clients are thrown out. */
  stop(): Promise<void>;
  /** SIGSTOP to the server and all its processes: connections stay open and nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/**
 * Makes a migrated cluster under the test's own folder and starts it; stopped at the end of the test.
 * @param by what `url` leads by: a database elsewhere fails in other words than a socket here
 */
export async function makeDatabaseServer(by: "socket" | "port"): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(inject("scratchFolder"), "database-"));
  const database = await acquireDatabase(folder, { durable: false });
  await migrate(database.url);
  await database.release();
  const url = new URL(database.url);
  if (by === "port") url.search = "";
  else if (!url.search) throw new Error(`no Unix socket fits into ${folder}`);
  const cluster = await ensureCluster(folder, false);
  const start = async () => {
    await launchPostmaster(cluster);
    await waitUntil("PostgreSQL takes connections", () => answers(url.href));
  };
  const signalAll = async (signal: NodeJS.Signals) => {
    const postmaster = await findPostmaster(cluster);
    if (!postmaster) return;
    // The postmaster first, so that it starts no more children.
    process.kill(postmaster.pid, signal);
    for (const pid of await findChildren(postmaster.pid)) signalIfThere(pid, signal);
  };
  onTestFinished(async () => {
    await signalAll("SIGCONT");
    await stopPostmaster(cluster);
  });
  await start();
  return {
    url: url.href,
    start,
    stop: () => stopPostmaster(cluster),
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
  };
}

/** A child may end between being listed and being signalled. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  const good = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  return good;
}

async function findChildren(parent: number): Promise<number[]> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(processes.map(async (pid) => ({ pid, parent: await findParent(pid) })));
  return parents.filter((one) => one.parent === parent).map(({ pid }) => pid);
}

async function findParent(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name, in brackets, may hold spaces.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}
