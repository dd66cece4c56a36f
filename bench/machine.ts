import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgresHome } from "../lib/db/embedded-binaries";
import { showCount } from "./table";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "..");

/** The machine, the versions, the commit and the day, a line of Markdown each. */
export async function describeRun(): Promise<string[]> {
  const [{ model } = { model: "unknown" }] = cpus();
  const peers = ["@duckdb/node-api", "@orama/orama", "fastify"].map((name) => versionOf("bench/", name));
  const own = ["next", "pg"].map((name) => versionOf("", name));
  const versions = await Promise.all([...peers, ...own]);
  return [
    `- machine: ${model.trim()}, ${cpus().length} cores, ${showCount(totalmem() / 1024 ** 3)} GB of memory`,
    `- versions: Node ${process.versions.node}, PostgreSQL ${await postgresVersion()}, ${versions.join(", ")}, ${await wrkVersion()}`,
    `- commit: ${await describeCommit().catch(() => "none")}`,
    `- date: ${new Date().toISOString().slice(0, 10)}`,
  ];
}

async function postgresVersion(): Promise<string> {
  const { stdout } = await run(join(await findPostgresHome(), "bin", "postgres"), ["--version"]);
  return stdout.trim().split(" ").at(-1) ?? "";
}

async function versionOf(folder: string, name: string): Promise<string> {
  const text = await readFile(join(ROOT, folder, "node_modules", name, "package.json"), "utf8");
  return `${name} ${JSON.parse(text).version}`;
}

async function describeCommit(): Promise<string> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: ROOT })).stdout.trim();
  const [head, changes] = [await git("rev-parse", "--short", "HEAD"), await git("status", "--porcelain")];
  return changes ? `${head} + changes` : head;
}

/** It says its version on the first line of its usage, with an exit code that is not 0. */
async function wrkVersion(): Promise<string> {
  const said = await run("wrk", ["--version"]).catch((error: { stdout?: string }) => error);
  return /^wrk \S+/.exec(said.stdout ?? "")?.[0].replace(/^wrk (?:debian\/)?/, "wrk ") ?? "wrk";
}
