import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A child that runs `database-user.ts`; kill it by `child.kill("SIGKILL")`. */
export interface DatabaseUser {
  child: ChildProcess;
  /** The URL it has, once it is in. Rejects with what it wrote to stderr where it ends before. */
  ready: Promise<string>;
  /** Ends its stdin and waits until it has left. */
  leave(): Promise<void>;
  kill(): Promise<void>;
}

export function spawnDatabaseUser(mode: "use" | "serve" | "migrate", ...args: string[]): DatabaseUser {
  const script = `${import.meta.dirname}/database-user.ts`;
  const child = spawn(process.execPath, ["--import", "tsx", script, mode, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    errors += part;
  });
  const ready = new Promise<string>((settle, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const said: unknown = JSON.parse(line);
      if (typeof said === "object" && said && "url" in said) settle(String(said.url));
    });
    child.once("close", () => reject(new Error(errors || "It ended before it was in.")));
  });
  ready.catch(() => undefined);
  return {
    child,
    ready,
    leave: async () => {
      child.stdin.end();
      await ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
