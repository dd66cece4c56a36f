import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { migrate } from "../migrator";
import { BackupError } from "./backup-error";
import { beginTransaction, copyTarget, onConnection, quoted, quotedList } from "./connection";
import { keepKey } from "./key-file";
import { damaged, type Manifest, makeTally, tableFile } from "./manifest";
import { isMigrated, listTables, readApplied, readSequences, type Sequence, type Table } from "./tables";

/** What migrations themselves put in; a backup brings its own. Held to the truth by a test. */
const FILLED_BY_MIGRATIONS = ["exchange_rate"];
const LOCK_WAIT = "5s";

export interface RestoreRequest {
  url: string;
  /** The backup's folder, whose manifest and files were checked. */
  folder: string;
  manifest: Manifest;
  key: Buffer;
  /** Where the key is kept for the market, or null where it has it otherwise. */
  keyFile: string | null;
}

/**
 * Puts a backup into an empty database, which is migrated first: everything in one transaction, or nothing. Needs the
 * database's owner and no more. Throws BackupError, with a reason for people.
 */
export async function restoreBackup(request: RestoreRequest): Promise<void> {
  await onConnection(request.url, "berth restore", async (client) => {
    await refuseWhileServed(client);
    await refuseUnlessEmpty(client);
    await migrate(request.url);
    await refuseOtherMigrations(client, request.manifest);
    const tables = await listTables(client);
    refuseOtherTables(tables, await readSequences(client), request.manifest);
    try {
      await fillDatabase(client, tables, request);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      throw new BackupError(
        `PostgreSQL refused: ${error.message}. Nothing was restored; the database is empty as before.`,
      );
    }
    await client.query(`ANALYZE ${quotedList(tables.map(({ name }) => name))}`);
  });
}

/** A server says so by the name of the connection that holds its lock (lib/db/server-lock.ts). */
async function refuseWhileServed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'berth server %'",
  );
  if (rows[0]) {
    const pid = rows[0].name.replace(/\D+/, "");
    throw new BackupError(
      `A Berth server (process ${pid}) runs on this database. Restore into a new one, and start Berth after that.`,
    );
  }
}

async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const tables = (await listTables(client)).map(({ name }) => name);
  if (tables.length > 0 && !(await isMigrated(client))) {
    throw new BackupError(
      `The database holds tables of something else (${tables.slice(0, 3).join(", ")}). Restore into a new database.`,
    );
  }
  const full: string[] = [];
  for (const name of tables) {
    if (FILLED_BY_MIGRATIONS.includes(name)) continue;
    const { rows } = await client.query<{ full: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${quoted(name)}) AS full`,
    );
    if (rows[0]?.full) full.push(name);
  }
  if (full.length > 0) {
    throw new BackupError(
      `The database is not empty (${full.slice(0, 3).join(", ")}${full.length > 3 ? " …" : ""}): a market was started in it. Restore into a new database (DATABASE_URL) or data folder (DATA_DIR), before its first start.`,
    );
  }
}

async function refuseOtherMigrations(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const here = new Map((await readApplied(client)).map(({ name, checksum }) => [name, checksum]));
  const unknown = migrations.find(({ name }) => !here.has(name));
  if (unknown) {
    throw new BackupError(
      `The backup is of a newer Berth: this one lacks the migration ${unknown.name}. Restore with the Berth that made it.`,
    );
  }
  const changed = migrations.find(({ name, checksum }) => here.get(name) !== checksum);
  if (changed) {
    throw new BackupError(
      `The migration ${changed.name} is not the one that the backup was made after. Restore with the Berth that made it.`,
    );
  }
  const past = new Set(migrations.map(({ name }) => name));
  const newer = [...here.keys()].find((name) => !past.has(name));
  if (newer) {
    throw new BackupError(
      `The backup is of an older Berth, from before the migration ${newer}. Restore into a new database with the Berth that made it, then upgrade.`,
    );
  }
}

function refuseOtherTables(tables: Table[], sequences: Sequence[], manifest: Manifest): void {
  const list = (some: { name: string; columns?: string[] }[]) =>
    some.map(({ name, columns = [] }) => `${name}(${[...columns].sort().join()})`);
  const here = new Set(list([...tables, ...sequences]));
  const there = new Set(list([...manifest.tables, ...manifest.sequences]));
  const [odd] = [...here].filter((one) => !there.has(one)).concat([...there].filter((one) => !here.has(one)));
  if (odd) {
    throw new BackupError(
      `The backup and the database do not have the same ${odd.split("(")[0]}, so nothing was restored. Use another backup.`,
    );
  }
}

async function fillDatabase(client: pg.Client, tables: Table[], request: RestoreRequest): Promise<void> {
  const { folder, manifest } = request;
  const files = new Map(manifest.tables.map((table) => [table.name, table]));
  const withTriggers = tables.filter(({ hasTriggers }) => hasTriggers);
  await beginTransaction(client, "READ COMMITTED");
  await lockAll(client, tables);
  await refuseUnlessEmpty(client);
  // What triggers would bring about is in the backup already. Foreign keys are not among them: those are checked.
  for (const { name } of withTriggers) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  for (const name of FILLED_BY_MIGRATIONS) await client.query(`DELETE FROM ${quoted(name)}`);
  for (const { name } of tables) {
    const file = files.get(name);
    if (file) await fillTable(client, folder, file);
  }
  await client.query("SET CONSTRAINTS ALL IMMEDIATE");
  for (const { name } of withTriggers) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
  // Unlike setval, this is undone with the transaction.
  for (const { name, next } of manifest.sequences)
    await client.query(`ALTER SEQUENCE ${quoted(name)} RESTART WITH ${next}`);
  await countRows(client, manifest);
  // Data without its key would be of less use than a key without data.
  if (request.keyFile) await keepKey(request.keyFile, request.key);
  await client.query("COMMIT");
}

/** A server that starts meanwhile waits here, and then finds a market. */
async function lockAll(client: pg.Client, tables: Table[]): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  try {
    await client.query(`LOCK TABLE ${quotedList(tables.map(({ name }) => name))} IN ACCESS EXCLUSIVE MODE`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === "55P03")) throw error;
    throw new BackupError(
      "Something else is using this database. Stop what runs on it, or restore into a new one.",
    );
  }
  await client.query("SET LOCAL lock_timeout = 0");
}

async function fillTable(client: pg.Client, folder: string, file: Manifest["tables"][number]): Promise<void> {
  const tally = makeTally();
  const rows = client.query(copyFrom(`COPY ${copyTarget(file)} FROM STDIN`));
  await pipeline(createReadStream(tableFile(folder, file.name)), tally.count, createGunzip(), rows);
  // It was checked before, but may have been written to since.
  if (tally.result().sha256 !== file.sha256)
    throw damaged(folder, `${file.name}.copy.gz`, "changed while it was read");
}

async function countRows(client: pg.Client, { tables }: Manifest): Promise<void> {
  for (const { name, rows } of tables) {
    const counted = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${quoted(name)}`);
    if (Number(counted.rows[0]?.n) !== rows) {
      throw new BackupError(
        `${name} would have ${counted.rows[0]?.n} rows instead of ${rows}, so nothing was restored. Use another backup.`,
      );
    }
  }
}
