import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { ensureDataDir } from "./data-dir";
import { StartupError } from "./startup-error";

const NAME_PREFIX = "berth server ";
const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 500;
const LOCK_NOT_AVAILABLE = "55P03";

/** "lost": the connection broke and the lock is being taken again; "held": it is back; "taken": another server has it. */
export type ServerLockChange = "lost" | "held" | "taken";

export interface ServerLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only Berth server on a data folder of this machine, by a session lock in the database at `url` (the
 * embedded one or another), which ends with the process however it ends. Waits up to `waitMs` for a server that is
 * draining. `url` must lead to PostgreSQL itself or through a pooler that pools sessions. Throws StartupError, naming
 * the other process, where it goes on running. After "taken" this process must stop serving.
 */
export async function holdServerLock(
  dataDir: string,
  url: string,
  waitMs = 10_000,
  onChange: (change: ServerLockChange) => void = () => undefined,
): Promise<ServerLock> {
  const folder = await ensureDataDir(dataDir);
  const key = await lockKey(folder);
  let released = false;
  const watch = (client: Client) => {
    client.once("end", () => {
      if (released) return;
      onChange("lost");
      current = retake();
    });
    return client;
  };
  const retake = async (): Promise<Client | null> => {
    while (!released) {
      const outcome = await takeLock(url, key, waitMs).catch(() => null);
      if (outcome?.client) {
        onChange("held");
        return watch(outcome.client);
      }
      if (outcome) {
        onChange("taken");
        return null;
      }
      await sleep(RETRY_MS);
    }
    return null;
  };

  const first = await takeLock(url, key, waitMs);
  if (!first.client) {
    throw new StartupError(
      `Another Berth server${first.holder ? ` (process ${first.holder})` : ""} is running on ${folder}. Stop it first, or start this one on a folder of its own with DATA_DIR.`,
    );
  }
  let current: Promise<Client | null> = Promise.resolve(watch(first.client));
  return {
    release: async () => {
      released = true;
      await (await current)?.end().catch(() => undefined);
    },
  };
}

type Outcome = { client: Client; holder?: never } | { client: null; holder: string | null };

async function takeLock(url: string, key: bigint, waitMs: number): Promise<Outcome> {
  const client = new Client({
    connectionString: url,
    application_name: `${NAME_PREFIX}${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on("error", () => undefined); // what breaks a connection is seen in its "end"
  try {
    await client.connect();
    await client.query(`SET lock_timeout = ${Math.max(1, Math.round(waitMs))}`);
    await client.query("SELECT pg_advisory_lock($1)", [key]);
    return { client };
  } catch (error) {
    const busy = error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
    const holder = busy ? await findHolder(client, key).catch(() => null) : null;
    await client.end().catch(() => undefined);
    if (busy) return { client: null, holder };
    throw error;
  }
}

async function findHolder(client: Client, key: bigint): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (l.classid::bigint << 32) | l.objid::bigint = $1`,
    [key],
  );
  const name = rows[0]?.name;
  return name?.startsWith(NAME_PREFIX) ? name.slice(NAME_PREFIX.length) : null;
}

/** One lock for each data folder of each machine: nodes that share a database are not in each other's way. */
async function lockKey(folder: string): Promise<bigint> {
  const machine = await readFile("/etc/machine-id", "utf8").catch(() => "");
  const digest = createHash("sha256")
    .update(`berth server\0${machine.trim()}\0${hostname()}\0${folder}`)
    .digest();
  return digest.readBigInt64BE(0);
}
