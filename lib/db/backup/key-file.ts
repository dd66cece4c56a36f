import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { env } from "../../env";
import { parseEncryptionKey } from "../../kernel/cipher";
import { BackupError } from "./backup-error";

/** Where a market without ENCRYPTION_KEY keeps its key (lib/db/encryption-key.ts). */
export function marketKeyFile(): string {
  return join(env().DATA_DIR, "encryption.key");
}

/** The key of this market as it is set, or null where there is none yet; unlike getEncryptionKey it makes none. */
export async function findMarketKey(): Promise<Buffer | null> {
  const { ENCRYPTION_KEY } = env();
  return ENCRYPTION_KEY ? parseKey(ENCRYPTION_KEY, "ENCRYPTION_KEY") : findKey(marketKeyFile());
}

/** The key in a file, or null where there is no such file. Throws BackupError where it cannot be read or is no key. */
export async function findKey(file: string): Promise<Buffer | null> {
  try {
    return parseKey(await readFile(file, "utf8"), file);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    const said = error instanceof Error ? error.message : String(error);
    throw new BackupError(`The key file ${file} cannot be read: ${said}`);
  }
}

function parseKey(text: string, place: string): Buffer {
  try {
    return parseEncryptionKey(text);
  } catch {
    throw new BackupError(
      `${place} holds no encryption key: that is 32 random bytes, in base64 or as 64 hexadecimal digits.`,
    );
  }
}

/** Writes a key (0600, whole or not at all) where none is. Throws BackupError where another one is. */
export async function keepKey(file: string, key: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${key.toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    await refuseOtherKey(file, key);
  } finally {
    await rm(draft);
  }
}

/** Throws BackupError where a file holds another key. */
export async function refuseOtherKey(file: string, key: Buffer): Promise<void> {
  const other = await findKey(file);
  if (other && !other.equals(key)) {
    throw new BackupError(
      `${file} holds another key, which is not written over. Name another place with --key-file.`,
    );
  }
}
