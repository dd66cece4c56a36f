import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A key as `ssh-keygen` made it, with what `ssh-keygen -lf` says of it. */
export type MadeKey = { line: string; bits: number; fingerprint: string };

/** Makes a key for each list of `ssh-keygen` options, as many at a time as there are cores. */
export async function makeKeys(options: string[][]): Promise<MadeKey[]> {
  return inFolder(async (folder) => {
    const lines: string[] = [];
    let next = 0;
    const work = async () => {
      for (let index = next++; index < options.length; index = next++) {
        const file = join(folder, `key${index}`);
        await run("ssh-keygen", [
          "-q",
          "-N",
          "",
          "-C",
          `key ${index}@host`,
          "-f",
          file,
          ...(options[index] ?? []),
        ]);
        lines[index] = await readFile(`${file}.pub`, "utf8");
      }
    };
    await Promise.all([work(), work()]);
    return describeKeys(lines);
  });
}

/** What the real `ssh-keygen -lf` says of each line, in order. */
export async function describeKeys(lines: string[]): Promise<MadeKey[]> {
  return inFolder(async (folder) => {
    const file = join(folder, "keys.pub");
    await writeFile(file, lines.map((line) => `${line.trim()}\n`).join(""));
    const { stdout } = await run("ssh-keygen", ["-lf", file]);
    const shown = stdout.trim().split("\n");
    if (shown.length !== lines.length)
      throw new Error(`ssh-keygen read ${shown.length} of ${lines.length} keys`);
    return lines.map((line, index) => {
      const [bits, fingerprint = ""] = shown[index]?.split(" ") ?? [];
      return { line, bits: Number(bits), fingerprint };
    });
  });
}

/** Runs `ssh-keygen` on a file with this text and gives what it prints. */
export async function runKeygen(text: string, options: (file: string) => string[]): Promise<string> {
  return inFolder(async (folder) => {
    const file = join(folder, "input");
    await writeFile(file, text, { mode: 0o600 });
    return (await run("ssh-keygen", options(file))).stdout;
  });
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "berth-keys-"));
  try {
    return await use(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new Error("This test needs ssh-keygen. Install it with: apt-get install openssh-client");
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
