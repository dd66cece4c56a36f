import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { asOrdinaryUser, findPostgresHome, PROGRAM_ENV } from "../lib/db/embedded-binaries";
import { CLUSTER_USER, ensureCluster } from "../lib/db/embedded-cluster";

const READY_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** A PostgreSQL of our own, with settings of our own; Berth's has those of its every user. */
export interface OwnPostgres {
  url: string;
  stop(): Promise<void>;
}

/** Makes a cluster in the folder and runs it on a free port. */
export async function startPostgres(folder: string, settings: Record<string, string>): Promise<OwnPostgres> {
  const cluster = await ensureCluster(await realpath(folder), false);
  const port = await findFreePort();
  const all = { ...settings, listen_addresses: "127.0.0.1", unix_socket_directories: "", fsync: "off" };
  const pairs = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const program = join(await findPostgresHome(), "bin", "postgres");
  const { command, args } = await asOrdinaryUser(program, ["-D", cluster.data, "-p", String(port), ...pairs]);
  const child = spawn(command, args, { cwd: "/", stdio: "ignore", env: PROGRAM_ENV });
  const kill = () => child.kill("SIGQUIT"); // at once, where this process ends before it was stopped
  process.once("exit", kill);
  const url = `postgres://${CLUSTER_USER}:${cluster.password}@127.0.0.1:${port}/postgres`;
  await waitUntilItAnswers(url);
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGINT"); // PostgreSQL's fast shutdown
      await ended;
      process.off("exit", kill);
    },
  };
}

async function waitUntilItAnswers(url: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(LOOK_EVERY_MS);
    }
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}
