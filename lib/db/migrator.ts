import type { MigrationList } from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import {
  findPending,
  MIGRATIONS_FOLDER,
  type Migration,
  type Queryable,
  readMigrations,
} from "./migration-history";
import { type FailedScript, openSchemaEngine } from "./schema-engine";
import { StartupError } from "./startup-error";

const MIGRATION_LOCK = 7_260_102;
const LOCK_WAIT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Every table and enum is ours. */
export const NO_FILTER = { externalTables: [], externalEnums: [] };

/** The names of the migrations that the database lacks: empty where it is ready to serve. Throws as `migrate` does. */
export async function pendingMigrations(
  db: string | Queryable,
  folder = MIGRATIONS_FOLDER,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  if (typeof db !== "string") return findPending(db, migrations);
  const client = await connect(db);
  return findPending(client, migrations).finally(() => client.end());
}

/**
 * Applies the migrations that the database at `url` lacks, all in one transaction: after an error or a kill it is as it was
 * before. Nodes that start at once take turns by an advisory lock. Returns the names it applied. Throws StartupError where
 * the database does not answer, where a migration fails, and where the history is not one to continue (`findPending`).
 */
export async function migrate(url: string, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const turn = await connect(url);
  try {
    if ((await findPending(turn, migrations)).length === 0) return [];
    await turn.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    await turn.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const pending = await findPending(turn, migrations);
    if (pending.length > 0) await applyAll(url, migrations, folder);
    return pending;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "55P03") {
      throw new StartupError(
        "Another node has been migrating the database for 10 minutes. Wait until it has finished, then start again.",
      );
    }
    throw error;
  } finally {
    await turn.end();
  }
}

async function applyAll(url: string, migrations: Migration[], folder: string): Promise<void> {
  // One connection: what the engine does is then within our transaction.
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pool.on("error", () => undefined); // a broken connection fails the query that uses it
  try {
    const { engine, failedScript } = await openSchemaEngine(pool);
    // If we are killed, PostgreSQL undoes our half at once and not when its statement ends. Not every system can.
    await pool.query("SET client_connection_check_interval = '1s'").catch(() => undefined);
    await pool.query("BEGIN");
    try {
      await engine.applyMigrations({
        migrationsList: asMigrationList(migrations, folder),
        filters: NO_FILTER,
      });
    } catch (error) {
      throw migrationFailed(error, failedScript(), migrations);
    } finally {
      engine.free();
    }
    await pool.query("COMMIT");
  } finally {
    await pool.end(); // and with it a transaction that was not committed
  }
}

function migrationFailed(cause: unknown, failed: FailedScript | null, migrations: Migration[]): StartupError {
  const error = failed?.error ?? cause;
  const said = error instanceof Error ? error.message : String(error);
  const name = migrations.find(({ script }) => script === failed?.script)?.name;
  const at = error instanceof pg.DatabaseError ? Number(error.position ?? 0) : 0;
  const line = at > 0 ? `, line ${failed?.script.slice(0, at).split("\n").length}` : "";
  return new StartupError(
    `The database could not be migrated and is as it was before. ${name ? `In ${name}${line}: ` : ""}${said}. Correct the cause and start again; the Berth that ran before still fits this database.`,
  );
}

/** The migrations in the engine's own shape, read already. */
export function asMigrationList(migrations: Migration[], folder: string): MigrationList {
  return {
    baseDir: folder,
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, script }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: script } },
    })),
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => undefined); // a broken connection fails the query that uses it
  try {
    await client.connect();
    return client;
  } catch (error) {
    const said = error instanceof Error ? error.message || String(Reflect.get(error, "code")) : String(error);
    throw new StartupError(
      `PostgreSQL at ${client.host}:${client.port} let us not in as ${client.user} to ${client.database}: ${said}. Correct DATABASE_URL, or start that server.`,
    );
  }
}
