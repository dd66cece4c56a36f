import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { asOrdinaryUser, findPostgresHome, PROGRAM_ENV } from "./embedded-binaries";
import { StartupError } from "./startup-error";

const run = promisify(execFile);
const MAJOR_VERSION = "18";
const FRESH_PREFIX = "postgres.init-";

/** The superuser of an embedded cluster, and the name of Berth's database in it. */
export const CLUSTER_USER = "berth";

/** One embedded PostgreSQL on disk, under `DATA_DIR/postgres`. */
export interface Cluster {
  /** PGDATA, a real path. */
  data: string;
  log: string;
  /** Holds the port of the last run, so that the address stays the same. */
  portFile: string;
  /** Where its Unix socket is, beside the port: half the time of a query there. Null where the path is too long for one. */
  socketFolder: string | null;
  password: string;
  /** False only in tests: a crash of the machine may lose data. */
  durable: boolean;
}

/**
 * Opens the cluster in a data folder (a real path), making it first where there is none. Of two that make it at once one
 * wins and both use that one; a making that was killed leaves only a folder that the next run removes.
 */
export async function ensureCluster(dataDir: string, durable: boolean): Promise<Cluster> {
  const home = join(dataDir, "postgres");
  if (!(await readVersion(home))) {
    await removeAbandoned(dataDir);
    await createCluster(dataDir, home, durable);
  }
  const version = await readVersion(home);
  if (version !== MAJOR_VERSION) {
    throw new StartupError(
      `${home} holds a PostgreSQL ${version ?? "of unknown"} database, and this Berth runs PostgreSQL ${MAJOR_VERSION}. Use the Berth that made it, or set DATA_DIR to another folder.`,
    );
  }
  const real = await realpath(home);
  const data = await realpath(join(real, "data"));
  return {
    data,
    socketFolder: takesSocket(data) ? data : null,
    log: join(real, "server.log"),
    portFile: join(real, "port"),
    password: (await readFile(join(real, "password"), "utf8")).trim(),
    durable,
  };
}

/** A socket's path has at most 103 bytes (macOS; Linux: 107), and PostgreSQL splits the setting at commas. */
function takesSocket(folder: string): boolean {
  return /^[\w./-]+$/.test(folder) && join(folder, ".s.PGSQL.65535").length <= 103;
}

async function readVersion(home: string): Promise<string | null> {
  const text = await readFile(join(home, "data", "PG_VERSION"), "utf8").catch(() => null);
  return text?.trim() ?? null;
}

async function createCluster(dataDir: string, home: string, durable: boolean): Promise<void> {
  const fresh = await mkdtemp(join(dataDir, `${FRESH_PREFIX}${process.pid}-`));
  try {
    const passwordFile = join(fresh, "password");
    await writeFile(passwordFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    await mkdir(join(fresh, "data"), { mode: 0o700 });
    await runInitdb(join(fresh, "data"), passwordFile, durable);
    await rename(fresh, home);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!(await readVersion(home))) throw error;
  }
}

async function runInitdb(data: string, passwordFile: string, durable: boolean): Promise<void> {
  const args = [`--pgdata=${data}`, `--username=${CLUSTER_USER}`, `--pwfile=${passwordFile}`];
  args.push("--auth=scram-sha-256", "--encoding=UTF8", "--no-instructions");
  // The same order and case rules on every machine, whatever its C library.
  args.push("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  if (!durable) args.push("--no-sync");
  const { command, args: all } = await asOrdinaryUser(join(await findPostgresHome(), "bin", "initdb"), args);
  try {
    await run(command, all, { cwd: "/", env: PROGRAM_ENV });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new StartupError(`PostgreSQL could not make its database in ${data}: ${said}`);
  }
}

async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const maker = /^postgres\.init-(\d+)-/.exec(name)?.[1];
    if (!maker || isAlive(Number(maker))) continue;
    // What a killed maker's initdb still writes to is left to the next run.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
