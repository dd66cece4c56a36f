import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createAccount } from "../lib/accounts/create-account";
import { createApiKey } from "../lib/accounts/create-api-key";
import { createHostToken } from "../lib/agents/create-host-token";
import { db } from "../lib/db/client";

const ROOT = join(import.meta.dirname, "..");

/** Of `npm start`; every server gets them. */
const FLAGS = ["--max-semi-space-size=64"];

/** A program of ours as a process of its own. */
export interface Program {
  /** What its line of readiness said. */
  match: string;
  pid: number;
  stop(): Promise<void>;
}

/** Runs a program until a line of its output matches. */
export async function startProgram(
  file: string,
  env: Record<string, string>,
  ready: RegExp,
  args: readonly string[] = [],
): Promise<Program> {
  const loader = file.startsWith(".programs/") ? [] : ["--import", "tsx"];
  const child = spawn(process.execPath, [...FLAGS, ...loader, join(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const match = await readUntil(child, ready);
  return {
    match,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function readUntil(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = ready.exec(said);
      if (found) resolve(found[1] ?? found[0]);
    });
    child.once("exit", () => reject(new Error(`a program ended before it was ready: ${said}`)));
  });
}

/** Who rents, and a token with which a machine joins. */
export async function makePeople(): Promise<{ key: string; token: string }> {
  const owner = await createAccount({ email: "owner@bench.invalid" });
  const renter = await createAccount({ email: "renter@bench.invalid", balanceMicro: 10_000_000_000n });
  const { apiKey } = await createApiKey({ userId: renter.userId, name: "bench" });
  return { key: apiKey, token: (await createHostToken(owner.userId)).token };
}

export async function listRentable(): Promise<string[]> {
  return (await db().offer.findMany({ where: { rentable: true }, select: { id: true } })).map(({ id }) => id);
}

export function countLeases(): Promise<number> {
  return db().offer.count({ where: { leased: true } });
}
