import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { BackupError } from "../lib/db/backup/backup-error";
import { findKey, findMarketKey, marketKeyFile } from "../lib/db/backup/key-file";
import { checkFiles, type Manifest, readManifest } from "../lib/db/backup/manifest";
import { restoreBackup } from "../lib/db/backup/restore-backup";
import { writeBackup } from "../lib/db/backup/write-backup";
import { getEncryptionKey } from "../lib/db/encryption-key";
import { encryptionKeyId } from "../lib/kernel/cipher";
import { example } from "./example";
import { CommandError, printJson, say } from "./run-command";
import { readSettings, withDatabase } from "./with-market";

const KEEP_APART =
  "A restore needs both the folder and the key file. Who has both can read every registry password: keep them apart.";

export function addBackupCommands(program: Command): void {
  program
    .command("backup")
    .description("copy the whole market, as it is in one instant, into a folder; it may run meanwhile")
    .requiredOption("--to <folder>", "one that does not exist yet, or is empty")
    .option("--key-file <file>", "where the encryption key goes (default: the folder's name with .key)")
    .addHelpText("after", example("backup --to backups/2026-11-21 --key-file keys/market.key"))
    .action(reasoned(backUp));
  program
    .command("restore")
    .description(
      "put a backup into an empty database, whole or not at all, before the market's first start there",
    )
    .requiredOption("--from <folder>", "what `backup --to` made")
    .option("--key-file <file>", "the key that belongs to it (default: the folder's name with .key)")
    .addHelpText("after", example("restore --from backups/2026-11-21 --key-file keys/market.key"))
    .action(reasoned(restore));
}

async function backUp({ to, keyFile }: { to: string; keyFile?: string }): Promise<object> {
  const folder = resolve(to);
  const keyPlace = resolve(keyFile ?? `${folder}.key`);
  await refuseWithoutMarket();
  const key = (await findMarketKey()) ?? makeKey();
  const backup = await withDatabase((url) => writeBackup({ url, to: folder, keyFile: keyPlace, key }));
  say(KEEP_APART);
  return { folder, key_file: keyPlace, ...summarise(backup), note: KEEP_APART };
}

/** Asking for a backup in the wrong folder shall not start a market there. */
async function refuseWithoutMarket(): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = readSettings();
  if (DATABASE_URL || (await stat(join(DATA_DIR, "postgres")).catch(() => null))) return;
  throw new BackupError(
    `There is no market in ${resolve(DATA_DIR)}. Point DATA_DIR, or DATABASE_URL, at the one to back up.`,
  );
}

/** The embedded database and its key are at home in one folder, so the key is simply not needed yet. */
function makeKey(): Buffer {
  if (!readSettings().DATABASE_URL) return getEncryptionKey();
  throw new BackupError(
    "The market's encryption key is not here. Set ENCRYPTION_KEY, or DATA_DIR, as its servers have it.",
  );
}

async function restore({ from, keyFile }: { from: string; keyFile?: string }): Promise<object> {
  readSettings();
  const folder = resolve(from);
  const manifest = await readManifest(folder);
  const key = await readKey(resolve(keyFile ?? `${folder}.key`), manifest);
  const known = await findMarketKey();
  if (known && !known.equals(key)) {
    throw new BackupError(
      "Another encryption key is set here (ENCRYPTION_KEY, or encryption.key in DATA_DIR) than the backup's, which could not be read with it. Set the backup's, or restore into a new DATA_DIR.",
    );
  }
  await checkFiles(folder, manifest);
  const marketFile = known ? null : marketKeyFile();
  await withDatabase((url) => restoreBackup({ url, folder, manifest, key, keyFile: marketFile }));
  return { folder, ...summarise(manifest) };
}

async function readKey(file: string, manifest: Manifest): Promise<Buffer> {
  const key = await findKey(file);
  if (!key)
    throw new BackupError(
      `There is no key file ${file}. Name the one that \`berth backup\` wrote with --key-file.`,
    );
  if (encryptionKeyId(key) === manifest.key_id) return key;
  throw new BackupError(
    `The key in ${file} is not this backup's. Name the one that \`berth backup\` wrote with --key-file.`,
  );
}

function summarise({ database_time, migrations, tables }: Omit<Manifest, "format">) {
  const sum = (part: "rows" | "bytes") => tables.reduce((total, table) => total + table[part], 0);
  return {
    database_time,
    migration: migrations.at(-1)?.name ?? null,
    tables: tables.length,
    rows: sum("rows"),
    bytes: sum("bytes"),
  };
}

/** Makes a commander action whose result is printed, and whose failures are sentences. */
function reasoned<Options>(work: (options: Options) => Promise<object>) {
  return async (options: Options): Promise<void> => {
    try {
      printJson(await work(options));
    } catch (error) {
      if (error instanceof BackupError) throw new CommandError(error.message);
      if (isOfFiles(error)) throw new CommandError(`A file could not be read or written: ${error.message}`);
      throw error;
    }
  };
}

/** Of the file system, and not of a connection. */
function isOfFiles(error: unknown): error is Error {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return false;
  return "path" in error || ["ENOSPC", "EDQUOT", "EFBIG", "EIO"].includes(String(error.code));
}
