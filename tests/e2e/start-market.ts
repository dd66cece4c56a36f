import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunningMarket {
  url: string;
  signInLink: string;
  /** The demo renter's. */
  demoKey: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** `npm start` on an empty data folder and a free port, as a person runs it. */
export async function startMarket(settings: Record<string, string> = {}): Promise<RunningMarket> {
  const folder = await mkdtemp(join(tmpdir(), "berth-e2e-"));
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { ...process.env, DATA_DIR: folder, PORT: "0", METRICS_PORT: "0", LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let said = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      if (/^ready /m.test(said)) resolve();
    });
    child.once("exit", () => reject(new Error(`it ended before it was ready: ${said}`)));
  });
  await ready;
  return {
    url: /^ready +(\S+)/m.exec(said)?.[1] ?? "",
    signInLink: /^sign in +(\S+)/m.exec(said)?.[1] ?? "",
    demoKey: /^API key +(\S+)/m.exec(said)?.[1] ?? "",
    dataDir: folder,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
