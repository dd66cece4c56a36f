import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

const run = promisify(execFile);
const PROGRAM = `import { getEncryptionKey } from "./lib/db/encryption-key";
process.stdout.write(getEncryptionKey().toString("hex"));`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "berth-key-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** The key as a new process sees it. */
async function readKey(settings: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ENCRYPTION_KEY: "", DATA_DIR: join(root, "data"), ...settings };
  const { stdout } = await run(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PROGRAM], {
    env,
  });
  return stdout;
}

it("SEAL-01 makes one key in the data folder, however many processes want it first, and keeps it", async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => readKey()));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(readdirSync(join(root, "data"))).toEqual(["encryption.key"]);
  const file = join(root, "data/encryption.key");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(file, "utf8"), "base64").toString("hex")).toBe(keys[0]);
  expect(await readKey()).toBe(keys[0]);
});

it("SEAL-02 tightens the file's permissions, and takes the setting before it", async () => {
  const made = await readKey();
  const file = join(root, "data/encryption.key");
  chmodSync(file, 0o644);
  expect(await readKey()).toBe(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const given = "0123456789abcdef".repeat(4);
  expect(await readKey({ ENCRYPTION_KEY: given })).toBe(given);
});
