import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { link, readFile, readlink, rename, stat, truncate, unlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { asOrdinaryUser, findPostgresHome, PROGRAM_ENV } from "./embedded-binaries";
import type { Cluster } from "./embedded-cluster";

const run = promisify(execFile);
const STOP_WAIT_MS = 30_000;
const EMPTY_FILE_AGE_MS = 5_000;
const LOG_LIMIT_BYTES = 4_000_000;

/** A running server of a cluster, as its `postmaster.pid` tells. */
export interface Postmaster {
  pid: number;
  /** Null until the server has written it. */
  port: number | null;
  stopping: boolean;
}

/** Finds the live server of a cluster, whoever started it. A lock file without one is put out of the way. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const file = join(cluster.data, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  const [pid, , , port, , , , status] = text.split("\n").map((line) => line.trim());
  if (!pid) return forgetEmpty(file);
  const postmaster = {
    pid: Math.abs(Number(pid)),
    port: port ? Number(port) : null,
    stopping: status === "stopping",
  };
  if (await isPostmasterOf(cluster, postmaster.pid)) return postmaster;
  await retireLockFile(file, text);
  return null;
}

/** A server writes the file at once; one that stays empty is of a machine that went down in that instant. */
async function forgetEmpty(file: string): Promise<null> {
  const made = await stat(file).catch(() => null);
  if (made && Date.now() - made.mtimeMs > EMPTY_FILE_AGE_MS) await retireLockFile(file, "");
  return null;
}

/**
 * PostgreSQL takes any live process under the file's pid for a server, so a pid used again by another program would stop
 * every start. A postmaster's working folder is its data folder.
 */
async function isPostmasterOf(cluster: Cluster, pid: number): Promise<boolean> {
  if (process.platform === "linux") {
    return readlink(`/proc/${pid}/cwd`).then(
      (folder) => folder === cluster.data,
      // Hidden, and ours all the same: another user's process is none that we could signal.
      (error: NodeJS.ErrnoException) => error.code === "EACCES" && isSignallable(pid),
    );
  }
  const listed = await run("ps", ["-p", String(pid), "-o", "command="]).catch(() => null);
  return listed?.stdout.includes(cluster.data) ?? false;
}

/** As with `postmaster.pid`: PostgreSQL takes any live process under a pid for the server whose socket it is. */
async function forgetSocketLock(cluster: Cluster, port: number): Promise<void> {
  const file = join(cluster.data, `.s.PGSQL.${port}.lock`);
  const text = await readFile(file, "utf8").catch(() => null);
  const pid = Math.abs(Number(text?.split("\n", 1)[0]));
  if (text !== null && !(await isPostmasterOf(cluster, pid))) await retireLockFile(file, text);
}

function isSignallable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A starter may replace the file between our reading and our moving it; then it goes back. */
async function retireLockFile(file: string, seen: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, "utf8")) !== seen) await link(aside, file).catch(() => undefined);
  await unlink(aside);
}

export interface Launch {
  pid: number | undefined;
  /** Settles when the process has ended, with what it wrote to its log. */
  ended: Promise<string>;
  hasEnded(): boolean;
}

/**
 * Starts a server on the cluster's last port or, where that is taken, on a free one of 127.0.0.1. It runs in a session of
 * its own: a terminal's Ctrl-C does not reach it, and it outlives this process.
 */
export async function launchPostmaster(cluster: Cluster): Promise<Launch> {
  const port = await choosePort(cluster);
  await forgetSocketLock(cluster, port);
  const home = await findPostgresHome();
  const { command, args } = await asOrdinaryUser(
    join(home, "bin", "postgres"),
    serverArguments(cluster, port),
  );
  await trimLog(cluster);
  const logStart = await stat(cluster.log).then(
    (file) => file.size,
    () => 0,
  );
  const log = openSync(cluster.log, "a", 0o600);
  const child = spawn(command, args, {
    cwd: "/",
    detached: true,
    stdio: ["ignore", log, log],
    env: PROGRAM_ENV,
  });
  closeSync(log);
  child.unref();
  let over = false;
  const ended = new Promise<string>((settle) => {
    const finish = async (reason: string) => {
      over = true;
      const text = await readFile(cluster.log, "utf8").catch(() => "");
      settle(text.slice(logStart).trim() || reason);
    };
    child.once("error", (error) => void finish(error.message));
    child.once("exit", (code, signal) => void finish(`it ended with ${signal ?? `code ${code}`}`));
  });
  return { pid: child.pid, ended, hasEnded: () => over };
}

function serverArguments(cluster: Cluster, port: number): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: cluster.socketFolder ?? "",
    cluster_name: "berth",
    max_connections: 200,
    shared_buffers: "256MB",
    jit: "off",
    client_connection_check_interval: "2s", // the statement of a killed process ends too
    timezone: "UTC",
    log_timezone: "UTC",
    log_min_messages: "log", // the statements of clients fail in their own logs; here they would hold tenants' data
    log_min_error_statement: "panic",
    log_checkpoints: "off",
    ...(cluster.durable ? {} : { fsync: "off", full_page_writes: "off" }),
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", cluster.data, "-p", String(port), ...pairs];
}

async function choosePort(cluster: Cluster): Promise<number> {
  const last = Number(await readFile(cluster.portFile, "utf8").catch(() => "0"));
  const kept = last > 0 ? await bindOnce(last).catch(() => null) : null;
  if (kept) return kept;
  const port = await bindOnce(0);
  await writeFile(cluster.portFile, `${port}\n`);
  return port;
}

function bindOnce(port: number): Promise<number> {
  return new Promise((settle, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => settle(typeof address === "object" && address ? address.port : port));
    });
  });
}

/** Stops the server of a cluster, rolling back what its clients had open; returns when the process is gone. */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (!postmaster) return;
  signal(postmaster.pid, "SIGINT");
  if (await isGone(cluster, postmaster.pid, STOP_WAIT_MS)) return;
  signal(postmaster.pid, "SIGQUIT");
  await isGone(cluster, postmaster.pid, STOP_WAIT_MS);
}

async function isGone(cluster: Cluster, pid: number, waitMs: number): Promise<boolean> {
  for (const end = Date.now() + waitMs; Date.now() < end; await sleep(20)) {
    if (!(await isPostmasterOf(cluster, pid))) return true;
  }
  return false;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in between.
  }
}

/** Empties the server's log above 4 MB: it is opened for appending, so the server goes on writing at the new end. */
export async function trimLog(cluster: Cluster): Promise<void> {
  const file = await stat(cluster.log).catch(() => null);
  if (file && file.size > LOG_LIMIT_BYTES) await truncate(cluster.log, 0).catch(() => undefined);
}
