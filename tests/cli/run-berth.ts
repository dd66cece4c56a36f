import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface BerthRun {
  code: number | null;
  /** What it printed, as the program that reads it sees it; null where it printed nothing. */
  json: unknown;
  stdout: string;
  stderr: string;
}

/** Runs the real command as a process of its own. */
export async function runBerth(args: string[], env: Record<string, string>, input = ""): Promise<BerthRun> {
  const { DATABASE_URL: _, DATA_DIR: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [".programs/berth.js", ...args], {
    env: { ...inherited, NODE_ENV: "production", ...env },
  });
  child.stdin.end(input);
  const ended = once(child, "exit");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout, stderr, json: stdout === "" || args.includes("--help") ? null : JSON.parse(stdout) };
}
