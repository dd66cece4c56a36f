import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { StartupError } from "../../lib/db/startup-error";
import type { Latency } from "../percentiles";

const run = promisify(execFile);
const figures = z.object({
  requests: z.number(),
  microseconds: z.number(),
  failed: z.number(),
  refused: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});

/** Requests of one kind. */
export interface Load {
  method: "GET" | "POST";
  path: string;
  key: string;
  /** Sent in turn; none for a GET. */
  bodies: readonly string[];
}

export interface LoadFigures extends Latency {
  requestsASecond: number;
}

/** Throws, with the remedy, where wrk is not installed. */
export async function requireWrk(): Promise<void> {
  const missing = await run("wrk", ["--version"]).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
  if (missing) throw new StartupError("wrk makes the load and is not installed: apt-get install wrk");
}

/**
 * Sends a load over so many connections from one thread for so long, and measures. Throws where anything but 2xx came back.
 * @param folder for the file that wrk reads
 */
export async function runWrk(
  url: string,
  load: Load,
  options: { connections: number; seconds: number; folder: string },
): Promise<LoadFigures> {
  const file = join(options.folder, "requests.txt");
  await writeFile(file, `${[load.method, load.path, load.key, ...load.bodies].join("\n")}\n`);
  const shape = ["-t1", `-c${options.connections}`, `-d${options.seconds}s`, "--timeout", "10s"];
  const script = join(import.meta.dirname, "wrk.lua");
  const { stdout } = await run("wrk", [...shape, "-s", script, url, "--", file]);
  const said = /^figures (.*)$/m.exec(stdout)?.[1];
  if (!said) throw new Error(`wrk told nothing: ${stdout}`);
  const { requests, microseconds, failed, refused, p50, p95, p99 } = figures.parse(JSON.parse(said));
  if (failed + refused > 0)
    throw new Error(`${load.path}: ${refused} answers were errors, ${failed} requests failed`);
  return {
    requestsASecond: (requests / microseconds) * 1e6,
    ...{ p50: p50 / 1000, p95: p95 / 1000, p99: p99 / 1000 },
  };
}
