import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "../env";
import { parseEncryptionKey } from "../kernel/cipher";

let cached: { source: string; key: Buffer } | undefined;

/**
 * The key that seals registry passwords: ENCRYPTION_KEY, or a file in DATA_DIR (0600) made at the first use. Nodes of
 * one market need the same one.
 */
export function getEncryptionKey(): Buffer {
  const { ENCRYPTION_KEY, DATA_DIR } = env();
  const source = ENCRYPTION_KEY ?? DATA_DIR;
  if (cached?.source !== source) {
    cached = { source, key: parseEncryptionKey(ENCRYPTION_KEY ?? readOrMakeFile(DATA_DIR)) };
  }
  return cached.key;
}

function readOrMakeFile(folder: string): string {
  const file = join(folder, "encryption.key");
  const read = () => {
    const text = readFileSync(file, "utf8").trim();
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    return text;
  };
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  try {
    linkSync(draft, file); // of two processes at once the first wins, and both read the same file
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  return read();
}
