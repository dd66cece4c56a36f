import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { waitUntil } from "./wait-until";

const ROOT = join(import.meta.dirname, "../..");

/** The built project under plain `next start`, without our server around it, on the database of this test. */
export async function startNext(): Promise<{ url: string; stop(): Promise<void> }> {
  if (!existsSync(join(ROOT, ".next/BUILD_ID"))) {
    throw new Error("The pages are not built yet: node scripts/prepare.mjs --build");
  }
  const port = await findPort();
  const next = join(ROOT, "node_modules/next/dist/bin/next");
  const child = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", String(port)], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await waitUntil("next start answers", async () => {
    if (child.exitCode !== null) throw new Error(`next start ended: ${said}`);
    return fetch(`${url}/v0/ping`).then(
      ({ status }) => status === 401,
      () => false,
    );
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
