import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { makeMetrics } from "../../lib/http/metrics";
import { listenOn } from "../../lib/http/node/listen";
import { startMetricsServer } from "../../lib/http/node/metrics-server";
import type { Readiness } from "../../lib/http/node/readiness";
import { sendRaw } from "./raw-client";
import { startTestServer, stopTestServers } from "./start-test-server";

afterEach(stopTestServers);

describe("health", () => {
  it("SRV-15 says that the process lives, whatever the database does", async () => {
    const { url } = await startTestServer({ checkReady: () => Promise.reject(new Error("down")) });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
    expect((await fetch(`${url}/healthz`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${url}/readyz`, { method: "POST" })).headers.get("allow")).toBe("GET, HEAD");
  });

  it("SRV-16 is ready only while the check is good", async () => {
    let result: Readiness = { ready: true };
    const { url } = await startTestServer({ checkReady: async () => result });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    result = { ready: false, reason: "The database lacks 2 migrations." };
    const response = await fetch(`${url}/readyz`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await response.json()).toMatchObject({ ok: false, code: "unavailable", status: 503 });
  });

  it("SRV-16 answers within 2 s where the database hangs, asking it once for all who ask, and recovers", async () => {
    let checks = 0;
    let hangs = true;
    let wake = (_: Readiness) => {};
    const { url } = await startTestServer({
      checkReady: () => {
        checks += 1;
        if (!hangs) return Promise.resolve({ ready: true });
        return new Promise((resolve) => {
          wake = resolve;
        });
      },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/readyz`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(checks).toBe(1);
    hangs = false;
    wake({ ready: false, reason: "late" });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

describe("metrics", () => {
  it("SRV-17 counts requests by operation and status, never by path", async () => {
    const server = await startTestServer();
    await fetch(`${server.url}/v0/echo`, { method: "POST", body: "x" });
    await fetch(`${server.url}/v0/inst_secret`);
    await fetch(`${server.url}/auth/link/token-secret`);
    await sendRaw(server.port, "BREW / HTTP/1.1\r\nHost: a\r\n\r\n");
    await server.logged((line) => line.route === "auth");
    server.metrics.watchPool(() => ({ total: 3, idle: 2, waiting: 1 }));
    const { text } = await server.metrics.scrape();
    const count = 'berth_http_request_duration_seconds_count{method="POST",operation="echo",status="200"} 1';
    expect(text).toContain(count);
    expect(text).toContain('{method="GET",operation="v0",status="404"} 1');
    expect(text).toContain('operation="auth",status="200"} 1');
    expect(text).toContain('method="other"');
    expect(text).toContain('berth_database_pool_connections{state="idle"} 2');
    expect(text).toContain("process_cpu_seconds_total");
    expect(text).not.toContain("secret");
  });

  it("SRV-17 serves them on loopback beside the public port, or on a free one where that is taken", async () => {
    const metrics = makeMetrics();
    const first = await startMetricsServer(metrics, undefined, 4_123);
    const second = await startMetricsServer(metrics, undefined, 4_123);
    expect(first?.address).toEqual({ host: "127.0.0.1", port: 10_123 });
    expect(second?.address.port).not.toBe(10_123);
    const url = `http://127.0.0.1:${second?.address.port}`;
    expect((await fetch(`${url}/metrics`)).headers.get("content-type")).toContain("text/plain");
    expect((await fetch(`${url}/`)).status).toBe(404);
    const taken = startMetricsServer(metrics, first?.address.port, 1);
    await expect(taken).rejects.toThrow(/METRICS_PORT=/);
    expect(await startMetricsServer(metrics, 0, 1)).toBeNull();
    await first?.stop();
    await second?.stop();
  });
});

describe("logs", () => {
  it("SRV-18 writes one JSON line a request, without path, query, headers, bodies or tokens", async () => {
    const server = await startTestServer();
    await fetch(`${server.url}/v0/echo?q=hidden1`, {
      method: "POST",
      body: "hidden2",
      headers: { "x-api-key": "hidden3", cookie: "hidden4", "x-request-id": "r-1" },
    });
    await fetch(`${server.url}/auth/one-time/hidden5`);
    await fetch(`${server.url}/v0/hidden6/%ff`);
    const malformed = await server.logged((line) => line.route === "malformed");
    expect(malformed).toMatchObject({ status: 404, method: "GET", msg: "request", level: "info" });
    expect(server.lines.filter((line) => line.msg === "request")).toHaveLength(3);
    expect(server.lines[0]).toMatchObject({ request_id: "r-1", method: "POST", route: "echo", status: 200 });
    expect(server.lines[0]?.ms).toEqual(expect.any(Number));
    expect(JSON.stringify(server.lines)).not.toContain("hidden");
  });
});

describe("listening", () => {
  it("SRV-19 refuses a port in use, or an address that is not ours, with a sentence that says what to do", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const attempt = createServer();
    await expect(listenOn(attempt, { host: "127.0.0.1", port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
    );
    await expect(listenOn(attempt, { host: "192.0.2.1", port: 0 })).rejects.toThrow(/HOST=192\.0\.2\.1/);
    other.close();
  });
});
