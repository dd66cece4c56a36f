import { type Program, startProgram } from "../market";
import { findFreePort } from "../postgres";
import type { StopList } from "../stop-list";

const READY = /^ready +(http\S+)$/m;

/** Settings of a node over the database at `url`. */
export function nodeSettings(url: string, dataDir: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    PORT: "0",
    METRICS_PORT: "0",
    RATE_LIMIT: "off",
    LOCAL_AGENT: "off",
    SIMULATED_BOOT_MS: "0",
    ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

export type ServerName = "ours" | "next" | "next without memory" | "fastify" | "fastify complete" | "bare";

export const serverNames: Record<ServerName, string> = {
  ours: "Berth",
  next: "the same handlers under next start",
  "next without memory": "the same under next start, searching in SQL",
  fastify: "Fastify + pg, same database",
  "fastify complete": "the same with helmet, request ids and metrics",
  bare: "bare node:http, same bytes",
};

/**
 * Starts one of the servers and returns once it is ready.
 * @param answers the file of what the bare one answers
 */
export async function startServer(
  name: ServerName,
  settings: Record<string, string>,
  answers: string,
  stops: StopList,
): Promise<Program> {
  const starts: Record<ServerName, () => Promise<Program>> = {
    ours: () => startProgram(".programs/server.js", settings, READY),
    next: () => startNext("memory", settings),
    "next without memory": () => startNext("database", settings),
    fastify: () => startProgram("bench/http/fastify-server.mjs", settings, READY),
    "fastify complete": () => startProgram("bench/http/fastify-server.mjs", settings, READY, ["complete"]),
    bare: () => startProgram("bench/http/bare-server.ts", settings, READY, [answers]),
  };
  const program = await starts[name]();
  return { ...program, stop: stops.add(() => program.stop()) };
}

/** What does the work on instances beside a server that only answers. */
export async function startWorker(settings: Record<string, string>, stops: StopList): Promise<Program> {
  const program = await startProgram(".programs/server.js", { ...settings, ROLE: "worker" }, READY);
  return { ...program, stop: stops.add(() => program.stop()) };
}

async function startNext(market: string, settings: Record<string, string>): Promise<Program> {
  const port = await findFreePort();
  return startProgram("bench/http/next-start.ts", settings, READY, [market, String(port)]);
}
