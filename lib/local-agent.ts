import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Logger } from "pino";
import { connectEngine, noEngine } from "../agent/connect-engine";
import { createHostToken } from "./agents/create-host-token";
import { findDemoOwner } from "./demo-market";
import { env } from "./env";
import { PROJECT_ROOT } from "./kernel/project-root";

const STOPS_WITHIN_MS = 5_000;

/** An agent on this very machine, as a process of its own. */
export interface LocalAgent {
  /** What to tell people at the start. */
  lines: string[];
  stop(): Promise<void>;
}

/**
 * Offers this machine on the demo market, so that the first rent is a real container: where a container engine answers,
 * an agent is started for the demo's host owner. Without one it says how to get one.
 * @param link where the agent finds the market
 * @param environment the agent's own settings, BERTH_…, for what it does not get from here
 * @returns null where the market has no demo, or LOCAL_AGENT is off
 */
export async function startLocalAgent(
  link: string,
  log: Logger,
  environment: NodeJS.ProcessEnv,
): Promise<LocalAgent | null> {
  const { LOCAL_AGENT, DATA_DIR } = env();
  const ownerId = LOCAL_AGENT === "off" ? null : await findDemoOwner();
  if (ownerId === null) return null;
  const { BERTH_ENGINE, XDG_RUNTIME_DIR } = environment;
  if (!(await connectEngine(BERTH_ENGINE ?? null, XDG_RUNTIME_DIR).catch(() => null))) {
    return {
      lines: [`machine  ${noEngine("BERTH_ENGINE=unix:///path/to.sock npm start")}`],
      stop: async () => undefined,
    };
  }
  const { token } = await createHostToken(ownerId);
  const child = spawn(process.execPath, [join(PROJECT_ROOT, ".programs/agent.js")], {
    cwd: PROJECT_ROOT,
    env: {
      BERTH_PRICE: "0.2",
      BERTH_DISK_PRICE: "0.1",
      ...environment,
      BERTH_SERVER: link,
      BERTH_MARKET: "local", // the same one when it is started at another port
      BERTH_HOST_TOKEN: token,
      BERTH_AGENT_DATA_DIR: resolve(DATA_DIR, "agent"),
      BERTH_ADDRESS: "127.0.0.1",
      BERTH_BIND: "127.0.0.1",
      BERTH_PRIVATE_IMAGES: "1", // owner and renter are one person here
      BERTH_STOP_WITH_PARENT: "1",
      LOG_LEVEL: "warn",
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  createInterface({ input: child.stdout }).on("line", (line) => process.stdout.write(`machine  ${line}\n`));
  createInterface({ input: child.stderr }).on("line", (line) => log.warn({ agent: line }, "local agent"));
  child.stdin.on("error", () => undefined); // it ended first
  return {
    lines: [],
    async stop() {
      child.stdin.end();
      const limit = setTimeout(() => child.kill("SIGKILL"), STOPS_WITHIN_MS);
      if (child.exitCode === null && child.signalCode === null) await ended;
      clearTimeout(limit);
    },
  };
}
