import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** Sends the signal and waits until the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** What it has logged, for the message of a failed test. */
  log(): string;
}

/**
 * The real server as a process of its own, without pages, on a free port; ready when this returns. It is killed at the
 * end of the test.
 * @param environment settings beside the usual ones of tests; without DATABASE_URL it runs its own PostgreSQL in DATA_DIR
 */
export async function startServer(environment: Record<string, string>): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(inject("scratchFolder"), "server-"));
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [".programs/tests/run-server.js"], {
    env: {
      PATH,
      HOME,
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      PORT: "0",
      METRICS_PORT: "0",
      RATE_LIMIT: "off",
      LOG_LEVEL: "warn",
      SIMULATED_BOOT_MS: "0",
      ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => kill("SIGKILL"));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const url = await readyAt(child, ended, () => log);
  return { url, child, kill, log: () => log };
}

function readyAt(child: ChildProcess, ended: Promise<void>, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const match = /^ready +(http\S+)$/m.exec(said);
      if (match?.[1]) resolve(match[1]);
    });
    void ended.then(() => reject(new Error(`the server ended before it was ready: ${said}${log()}`)));
  });
}
