import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { ensureDataDir } from "./data-dir";
import { CLUSTER_USER, type Cluster, ensureCluster } from "./embedded-cluster";
import {
  findPostmaster,
  type Launch,
  launchPostmaster,
  stopPostmaster,
  trimLog,
} from "./embedded-postmaster";
import { StartupError } from "./startup-error";

/** Advisory locks count per database; the users of a server meet in this one. */
const MEETING_DATABASE = "postgres";
const USERS_LOCK = 7_260_101;
const POLL_MS = 25;
const CONNECT_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUT_MS = 5_000;
const REJOIN_PAUSE_MS = 250;
const TRIM_INTERVAL_MS = 60_000;
const LAUNCH_TRIES = 5;

export interface AcquireOptions {
  /** False for tests: faster, and a crash of the machine may lose data. Default true. */
  durable?: boolean;
  /** How long to wait for a server that is starting or stopping. Default 60 s. */
  waitMs?: number;
  /**
   * "lost": the server ended under us and is being started again; "restored": it runs again at the same address; "moved": it
   * runs at another, since its port was taken meanwhile, and `url` is of no more use.
   */
  onChange?: (state: "lost" | "restored" | "moved") => void;
}

export interface AcquiredDatabase {
  /** `postgres://` URL of Berth's database, password included. */
  url: string;
  /** Leaves; the last user to leave stops the server. Close your own connections first. */
  release(): Promise<void>;
}

interface Membership {
  client: Client;
  port: number;
  /** Where its Unix socket is; empty: it has none that leads to it. */
  socketFolder: string;
}

/**
 * Uses the embedded PostgreSQL of a data folder, starting it where it does not run. Any number of processes may use one at
 * once: each holds a shared advisory lock, which ends with the process however it ends, and whoever leaves and then gets
 * that lock alone stops the server. A server that a killed run left is used again. Throws StartupError, with a reason for
 * people, where it cannot be started or reached.
 */
export async function acquireDatabase(
  dataDir: string,
  options: AcquireOptions = {},
): Promise<AcquiredDatabase> {
  const cluster = await ensureCluster(await ensureDataDir(dataDir), options.durable ?? true);
  const leaving = new AbortController();
  const first = await joinServer(cluster, options.waitMs ?? 60_000, leaving.signal);
  const keeper = keepMembership(cluster, first, options, leaving.signal);
  const trimmer = setInterval(() => void trimLog(cluster), TRIM_INTERVAL_MS).unref();
  let released: Promise<void> | undefined;
  const leave = async () => {
    clearInterval(trimmer);
    leaving.abort();
    const client = await keeper.current();
    if (client) await leaveServer(cluster, client);
  };
  return {
    url: addressOf(cluster, first),
    release: () => {
      released ??= leave();
      return released;
    },
  };
}

function addressOf({ password }: Cluster, { port, socketFolder }: Membership): string {
  const url = new URL(`postgres://${CLUSTER_USER}:${password}@127.0.0.1:${port}/${CLUSTER_USER}`);
  if (socketFolder) url.searchParams.set("host", socketFolder);
  return url.href;
}

/** Holds the membership through a crash of the server, so that another user's leaving never stops it under us. */
function keepMembership(cluster: Cluster, first: Membership, options: AcquireOptions, signal: AbortSignal) {
  let current: Promise<Client | null> = Promise.resolve(first.client);
  const watch = (client: Client) => {
    client.once("end", () => {
      if (signal.aborted) return;
      options.onChange?.("lost");
      current = rejoin();
    });
  };
  const rejoin = async (): Promise<Client | null> => {
    while (!signal.aborted) {
      try {
        const { client, port, socketFolder } = await joinServer(cluster, Number.POSITIVE_INFINITY, signal);
        watch(client);
        // Who came by the port alone does not miss a socket.
        const isThere = port === first.port && ["", socketFolder].includes(first.socketFolder);
        options.onChange?.(isThere ? "restored" : "moved");
        return client;
      } catch {
        await sleep(REJOIN_PAUSE_MS);
      }
    }
    return null;
  };
  watch(first.client);
  return { current: () => current };
}

/** Connects to the server, starting it as often as it takes, and returns once this process counts as a user of it. */
async function joinServer(asked: Cluster, waitMs: number, signal: AbortSignal): Promise<Membership> {
  let cluster = asked;
  const deadline = Date.now() + waitMs;
  let launch: Launch | null = null;
  let launches = 0;
  let reason = "it did not answer";
  while (!signal.aborted && Date.now() < deadline) {
    const found = await findPostmaster(cluster);
    if (found?.port && !found.stopping) {
      const joined = await tryJoin(cluster, found.port);
      if (joined.member) return joined.member;
      reason = joined.reason;
    } else if (!found && (!launch || launch.hasEnded())) {
      if (launch) reason = await launch.ended;
      // Not every file system has sockets: some of those that containers and virtual machines share have not.
      if (/Unix-domain socket/.test(reason)) cluster = { ...asked, socketFolder: null };
      if (launches === LAUNCH_TRIES) break;
      if (launches > 0) await sleep(launches * REJOIN_PAUSE_MS);
      launches += 1;
      launch = await launchPostmaster(cluster);
    }
    await sleep(POLL_MS);
  }
  throw new StartupError(
    `The embedded PostgreSQL in ${cluster.data} could not be used: ${reason}\nIts log is ${cluster.log}.`,
  );
}

type JoinAttempt = { member: Membership; reason?: never } | { member: null; reason: string };

async function tryJoin(cluster: Cluster, port: number): Promise<JoinAttempt> {
  let client = makeClient(cluster, "127.0.0.1", port);
  try {
    await client.connect();
    const { folder, socketFolder: offered } = await readPlaces(client);
    if (!(await isDataOf(cluster, folder))) throw new Error(`port ${port} belongs to another PostgreSQL`);
    const bySocket = offered ? await connectBySocket(cluster, offered, port) : null;
    const socketFolder = bySocket ? offered : "";
    if (bySocket) {
      await client.end();
      client = bySocket;
    }
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query("SELECT pg_advisory_lock_shared($1)", [USERS_LOCK]);
    await makeDatabase(client);
    // The lock may have come free because the server is on its way down; it says so before it lets go of its sessions.
    const now = await findPostmaster(cluster);
    if (now?.port !== port || now.stopping) throw new Error("it was stopping");
    return { member: { client, port, socketFolder } };
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof Error && "code" in error && error.code === "28P01") {
      throw new StartupError(
        `The password beside ${cluster.data} is not that of the database in it. Put the right "password" file back, or set DATA_DIR to another folder.`,
      );
    }
    return { member: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

function makeClient(cluster: Cluster, host: string, port: number): Client {
  const client = new Client({
    host,
    port,
    user: CLUSTER_USER,
    password: cluster.password,
    database: MEETING_DATABASE,
    application_name: `berth user ${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on("error", () => undefined); // what breaks a connection is seen in its "end"
  return client;
}

/** Null where no socket there leads to this server: the folder may have another name here than where it was started. */
async function connectBySocket(cluster: Cluster, folder: string, port: number): Promise<Client | null> {
  const client = makeClient(cluster, folder, port);
  try {
    await client.connect();
    if (await isDataOf(cluster, (await readPlaces(client)).folder)) return client;
  } catch {
    // It is reached by its port.
  }
  await client.end().catch(() => undefined);
  return null;
}

async function readPlaces(client: Client): Promise<{ folder: string; socketFolder: string }> {
  const { rows } = await client.query<{ folder: string; socketFolder: string }>(
    `SELECT current_setting('data_directory') AS folder, current_setting('unix_socket_directories') AS "socketFolder"`,
  );
  return rows[0] ?? { folder: "", socketFolder: "" };
}

async function isDataOf(cluster: Cluster, folder: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([stat(folder).catch(() => null), stat(cluster.data)]);
  return theirs !== null && theirs.ino === ours.ino && theirs.dev === ours.dev;
}

async function makeDatabase(client: Client): Promise<void> {
  const known = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [CLUSTER_USER]);
  if (known.rowCount) return;
  await client.query(`CREATE DATABASE ${CLUSTER_USER}`).catch((error: Error & { code?: string }) => {
    // Another process made it in this instant.
    if (error.code !== "42P04" && error.code !== "23505") throw error;
  });
}

async function leaveServer(cluster: Cluster, client: Client): Promise<void> {
  try {
    await client.query("SELECT pg_advisory_unlock_shared($1)", [USERS_LOCK]);
    const { rows } = await client.query<{ last: boolean }>("SELECT pg_try_advisory_lock($1) AS last", [
      USERS_LOCK,
    ]);
    // The lock stays held to the end, so that nobody joins a server that is being stopped.
    if (rows[0]?.last) await stopPostmaster(cluster);
  } catch {
    // The server is gone, or another process is stopping it.
  }
  await client.end().catch(() => undefined);
}
