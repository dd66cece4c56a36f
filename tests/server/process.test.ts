import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { NodeSettings } from "../../lib/http/node/node-settings";
import { signalIfThere } from "../support/database-server";
import { waitUntil } from "../support/wait-until";
import { openRaw } from "./raw-client";

interface NodeProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the match once standard output has it; rejects if the process ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  exited: Promise<number | null>;
}

const children: NodeProcess[] = [];
let dataDir = "";

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "berth-node-"));
});
afterEach(async () => {
  for (const { child, exited } of children.splice(0)) {
    child.kill("SIGKILL");
    await exited;
  }
});
// The last node of a killed run leaves its PostgreSQL; one more start and stop ends it.
afterAll(async () => {
  const node = startNode();
  await node.says(/ready/);
  node.child.kill("SIGTERM");
  await node.exited;
  rmSync(dataDir, { recursive: true, force: true });
});

function startNode(settings: Partial<NodeSettings> & { failAfterReady?: boolean } = {}): NodeProcess {
  const all = { host: "127.0.0.1", port: 0, dataDir, role: "both", ...settings };
  const child = spawn(process.execPath, [".programs/tests/run-test-node.js", JSON.stringify(all)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  const watchers = new Set<() => void>();
  const wake = () => {
    for (const watcher of [...watchers]) watcher();
  };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const node: NodeProcess = {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const watcher = () => {
          const match = pattern.exec(stdout);
          if (!match) return;
          watchers.delete(watcher);
          resolve(match);
        };
        watchers.add(watcher);
        watcher();
        void exited.then((code) => reject(new Error(`exited with ${code}: ${stdout}${stderr}`)));
      }),
  };
  children.push(node);
  return node;
}

async function readyNode(settings: Parameters<typeof startNode>[0] = {}) {
  const node = startNode(settings);
  const url = (await node.says(/^ready +(http:\S+)$/m))[1] ?? "";
  return { ...node, url, port: Number(new URL(url).port) };
}

describe("the process", () => {
  it("SRV-23 starts everything in order, says where it is, and on SIGTERM stops all of it and exits 0", async () => {
    const node = await readyNode();
    expect(node.stdout()).toMatch(
      /^pointed true\nprepared\nwelcome +http:.*\nmetrics +http:.*\nready +http:.*\n$/,
    );
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
    const metrics = /^metrics +(\S+)$/m.exec(node.stdout())?.[1] ?? "";
    expect(await (await fetch(metrics)).text()).toContain("berth_http_request_duration_seconds");
    node.child.kill("SIGTERM");
    node.child.kill("SIGTERM");
    node.child.kill("SIGINT");
    expect(await node.exited).toBe(0);
    expect(node.stdout()).toMatch(/worker stopped\nconnections closed\n$/);
    for (const line of node.stderr().trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("level");
  });

  it("SRV-23 finishes a running request after SIGINT", async () => {
    const node = await readyNode();
    const connection = await openRaw(node.port);
    connection.write("GET /v0/slow HTTP/1.1\r\nHost: a\r\n\r\n");
    await node.says(/slow began/);
    const idle = await openRaw(node.port);
    node.child.kill("SIGINT");
    await idle.ended();
    node.child.kill("SIGUSR2");
    expect(await connection.ended()).toContain('{"slow":true}');
    expect(await node.exited).toBe(0);
  });

  it("SRV-29 serves by several processes, replaces one that dies, counts for all, and stops them all", async () => {
    const node = await readyNode({ workers: 2 });
    const pid = node.child.pid ?? 0;
    const listForks = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
    // The worker and the database are the first process's, and the forks' alone are what serves.
    const isFork = (fork: number) =>
      existsSync(`/proc/${fork}`) && readFileSync(`/proc/${fork}/cmdline`, "utf8").includes("run-test-node");
    const first = listForks().filter(isFork);
    expect(first).toHaveLength(2);
    expect(node.stdout().match(/^ready/gm)).toHaveLength(1);
    process.kill(first[0] ?? 0, "SIGKILL");
    const forks = await waitUntil("another fork", async () => {
      const now = listForks().filter(isFork);
      return now.length === 2 && !now.includes(first[0] ?? 0) ? now : null;
    });
    expect(forks).toContain(first[1]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${node.url}/v0/echo`, { method: "POST" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const metrics = /^metrics +(\S+)$/m.exec(node.stdout())?.[1] ?? "";
    await expect
      .poll(async () => (await fetch(metrics)).text())
      .toContain('berth_http_request_duration_seconds_count{method="POST",operation="echo",status="200"} 20');
    node.child.kill("SIGTERM");
    expect(await node.exited).toBe(0);
    for (const fork of forks) expect(() => process.kill(fork, 0)).toThrow("ESRCH");
  });

  it("SRV-24 refuses a port in use and a data folder in use with a sentence, stops what it started and exits 1", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const refused = startNode({ port });
    expect(await refused.exited).toBe(1);
    expect(refused.stderr()).toContain(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or choose another port: PORT=${port + 1} npm start\n`,
    );
    expect(refused.stdout()).toMatch(/worker stopped\nconnections closed\n$/);
    other.close();

    const first = await readyNode();
    const second = startNode();
    expect(await second.exited).toBe(1);
    expect(second.stderr()).toMatch(/Another Berth server \(process \d+\) is running on .*\n$/);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  it("SRV-24 refuses a database that does not answer with a sentence, without its password", async () => {
    const node = startNode({ databaseUrl: "postgres://user:hidden@127.0.0.1:9/berth" });
    expect(await node.exited).toBe(1);
    expect(node.stderr()).toMatch(/^[^{]+\.\n$/);
    expect(node.stderr()).not.toContain("hidden");
  });

  it("SRV-24 waits for a server that is draining on the same data folder", async () => {
    const first = await readyNode();
    first.child.kill("SIGTERM");
    const second = await readyNode();
    expect(await first.exited).toBe(0);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
  });

  it("SRV-25 logs an error nobody caught, drains and exits 1", async () => {
    const node = startNode({ failAfterReady: true });
    expect(await node.exited).toBe(1);
    expect(node.stderr()).toContain("nobody caught this");
    expect(node.stdout()).toMatch(/connections closed\n$/);
  });

  it("SRV-26 is unready within 2 s while the database is stopped by SIGSTOP, lives on, and is ready again", async () => {
    const node = await readyNode();
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
    const pids = postgresPids();
    expect(pids.length).toBeGreaterThan(1);
    for (const pid of pids) signalIfThere(pid, "SIGSTOP");
    try {
      for (let i = 0; i < 3; i += 1) {
        const response = await fetch(`${node.url}/readyz`);
        expect([response.status, response.headers.has("retry-after")]).toEqual([503, true]);
      }
      expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
    } finally {
      for (const pid of pids) signalIfThere(pid, "SIGCONT");
    }
    const ready = async () => (await fetch(`${node.url}/readyz`)).status;
    await expect.poll(ready).toBe(200);
  });

  it("SRV-27 serves only health and metrics as a worker, and no worker as a web node", async () => {
    const worker = await readyNode({ role: "worker" });
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${worker.url}/v0/echo`, { method: "POST" })).status).toBe(404);
    expect((await fetch(worker.url)).status).toBe(404);
    worker.child.kill("SIGTERM");
    expect(await worker.exited).toBe(0);
    const web = await readyNode({ role: "web" });
    expect((await fetch(`${web.url}/v0/echo`, { method: "POST" })).status).toBe(200);
    web.child.kill("SIGTERM");
    await web.exited;
    expect(web.stdout()).not.toContain("worker stopped");
  });
});

/** The postmaster of our data folder and its children. */
function postgresPids(): number[] {
  const file = join(dataDir, "postgres", "data", "postmaster.pid");
  const postmaster = Number(readFileSync(file, "utf8").split("\n")[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  return [postmaster, ...children.trim().split(" ").map(Number)];
}
