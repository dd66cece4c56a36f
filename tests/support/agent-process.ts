import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { createHostToken } from "@/lib/agents/create-host-token";

export interface AgentProcess {
  child: ChildProcess;
  dataDir: string;
  firstPort: number;
  /** Sends the signal and waits until the process has ended; its exit code. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** What it has printed and logged. */
  log(): string;
}

export interface AgentWish {
  server: string;
  socket: string;
  /** Absent: it has joined before. */
  ownerId?: string;
  dataDir?: string;
  firstPort?: number;
  split?: number;
  env?: Record<string, string>;
}

/** The real agent as a process of its own; joined when this returns. It is killed at the end of the test. */
export async function startAgent(wish: AgentWish): Promise<AgentProcess> {
  const agent = await spawnAgent(wish);
  await agent.ready;
  return agent;
}

export async function spawnAgent(wish: AgentWish): Promise<AgentProcess & { ready: Promise<void> }> {
  const dataDir = wish.dataDir ?? (await mkdtemp(join(inject("scratchFolder"), "agent-")));
  const firstPort = wish.firstPort ?? (await findFreePorts());
  const token = wish.ownerId ? { BERTH_HOST_TOKEN: (await createHostToken(wish.ownerId)).token } : {};
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [".programs/agent.js"], {
    env: {
      PATH,
      HOME,
      NODE_ENV: "production",
      BERTH_SERVER: wish.server,
      BERTH_ENGINE: `unix://${wish.socket}`,
      BERTH_AGENT_DATA_DIR: dataDir,
      BERTH_ADDRESS: "127.0.0.1",
      BERTH_BIND: "127.0.0.1",
      BERTH_PRIVATE_IMAGES: "1",
      BERTH_PORTS: `${firstPort}-${firstPort + 199}`,
      BERTH_PRICE: "0.42",
      BERTH_DISK_PRICE: "0.1",
      BERTH_SPLIT: String(wish.split ?? 1),
      LOG_LEVEL: "info",
      ...token,
      ...wish.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
  }
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  onTestFinished(async () => void (await kill("SIGKILL")));
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on("data", () => {
      if (/^(on the market|joined as|the market does not answer)/m.test(log)) resolve();
    });
    void ended.then(() => reject(new Error(`the agent ended before it had joined: ${log}`)));
  });
  ready.catch(() => undefined);
  return { child, dataDir, firstPort, kill, log: () => log, ready };
}

/** The first of 200 ports of which the first is free; the agent passes over others that are not. */
async function findFreePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
