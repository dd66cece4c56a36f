import { createWriteStream, rmSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { encryptionKeyId } from "../../kernel/cipher";
import { BackupError } from "./backup-error";
import { beginTransaction, copyTarget, onConnection, quotedList } from "./connection";
import { keepKey, refuseOtherKey } from "./key-file";
import { type Manifest, makeTally, tableFile, writeManifest } from "./manifest";
import { isMigrated, listSealingKeys, listTables, readApplied, readSequences, type Table } from "./tables";

export interface BackupRequest {
  url: string;
  /** A folder that does not exist, or an empty one. */
  to: string;
  /** Where the key goes; not within `to`. */
  keyFile: string;
  /** The market's encryption key. */
  key: Buffer;
}

/** What a backup's folder says of it, but for its format. */
export type Backup = Omit<Manifest, "format">;

/**
 * Copies the whole market as it is in one instant, also while it runs: one REPEATABLE READ snapshot, each table by COPY in
 * text, gzipped, streamed. The folder appears whole or not at all. Throws BackupError, with a reason for people.
 */
export async function writeBackup({ url, to, keyFile, key }: BackupRequest): Promise<Backup> {
  const folder = resolve(to);
  const keyPlace = resolve(keyFile);
  await refuseTaken(folder);
  if (!relative(folder, keyPlace).startsWith(`..${sep}`)) {
    throw new BackupError(
      `The key may not be in the backup's folder: who has both can read registry passwords. Name another place with --key-file.`,
    );
  }
  await refuseOtherKey(keyPlace, key);
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${folder}.partial-`);
  const discard = () => rmSync(draft, { recursive: true, force: true });
  process.once("exit", discard); // a Ctrl-C ends the process at once
  try {
    const backup = await onConnection(url, "berth backup", (client) => copySnapshot(client, draft, key));
    await writeManifest(draft, backup);
    await flushFolder(draft);
    await keepKey(keyPlace, key);
    await rename(draft, folder);
    await flushFolder(dirname(folder));
    return backup;
  } finally {
    process.removeListener("exit", discard);
    await rm(draft, { recursive: true, force: true });
  }
}

async function refuseTaken(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new BackupError(`${folder} cannot be written to: ${error.message}. Name another folder with --to.`);
  });
  if (entries.length > 0) {
    throw new BackupError(
      `${folder} is not empty. Name a folder that does not exist yet, such as one with the date in it.`,
    );
  }
}

async function copySnapshot(client: pg.Client, draft: string, key: Buffer): Promise<Backup> {
  const tables = await beginSnapshot(client);
  const time = await client.query<{ now: Date }>("SELECT now() AS now");
  const migrations = await readApplied(client);
  await refuseForeignKey(client, key);
  const copied: Backup["tables"] = [];
  for (const table of tables) copied.push(await copyTable(client, draft, table));
  const sequences = await readSequences(client);
  await client.query("COMMIT");
  return {
    database_time: time.rows[0]?.now.toISOString() ?? "",
    key_id: encryptionKeyId(key),
    migrations,
    tables: copied,
    sequences,
  };
}

/**
 * The tables are locked against changes of their shape before the snapshot is taken: one that a migration rewrites in between
 * would look empty in it.
 */
async function beginSnapshot(client: pg.Client): Promise<Table[]> {
  if (!(await isMigrated(client))) {
    throw new BackupError(
      "There is no market in this database. Point DATABASE_URL, or DATA_DIR, at the one to back up.",
    );
  }
  const before = (await listTables(client)).map(({ name }) => name);
  await beginTransaction(client, "REPEATABLE READ READ ONLY");
  await client.query(`LOCK TABLE ${quotedList(["_prisma_migrations", ...before])} IN ACCESS SHARE MODE`);
  const tables = await listTables(client);
  if (tables.map(({ name }) => name).join() !== before.join()) {
    throw new BackupError(
      "The database was being migrated in this moment. Try again when the market has started.",
    );
  }
  return tables;
}

/** A key that opens nothing here is another market's: better no backup than one without its key. */
async function refuseForeignKey(client: pg.Client, key: Buffer): Promise<void> {
  const sealing = await listSealingKeys(client);
  if (sealing.length > 0 && !sealing.includes(encryptionKeyId(key))) {
    throw new BackupError(
      "The encryption key here is not the one that this market's registry passwords were sealed with. Set ENCRYPTION_KEY, or DATA_DIR, as its servers have it.",
    );
  }
}

async function copyTable(client: pg.Client, draft: string, table: Table): Promise<Backup["tables"][number]> {
  const rows = client.query(copyTo(`COPY ${copyTarget(table)} TO STDOUT`));
  const tally = makeTally();
  const file = createWriteStream(tableFile(draft, table.name), { mode: 0o600, flags: "wx", flush: true });
  await pipeline(rows, createGzip(), tally.count, file);
  return { name: table.name, columns: table.columns, rows: rows.rowCount, ...tally.result() };
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
