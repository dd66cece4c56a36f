import { afterEach, describe, expect, it } from "vitest";
import type { Answer } from "../../lib/http/answers";
import { openRaw, readAnswer } from "./raw-client";
import { json, startTestServer, stopTestServers } from "./start-test-server";

afterEach(stopTestServers);

const MEGABYTE = 1024 * 1024;
const tooLarge = async () => json(413, { ok: false, code: "payload_too_large" });

/** Reads one chunk and gives up, as a handler with a limit does. */
async function readSomeThenRefuse(request: Request): Promise<Answer> {
  const reader = request.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  return tooLarge();
}

describe("unwanted bodies", () => {
  it.each([
    ["a handler that reads nothing", "/v0/x", 413, tooLarge],
    ["a handler that gives up half-way", "/v0/x", 413, readSomeThenRefuse],
    ["no such path", "/v0", 404, tooLarge],
    ["a page that cannot be posted to", "/", 405, tooLarge],
    ["a body too large for pages", "/agent/x", 413, tooLarge],
  ] as const)(
    "SRV-11 lets a client that sends 3 MB see the answer of %s, every time",
    async (_, path, status, dispatch) => {
      const { url } = await startTestServer({ dispatch });
      const body = Buffer.alloc(3 * MEGABYTE, "a");
      for (let i = 0; i < 40; i += 1) {
        const response = await fetch(url + path, { method: "POST", body });
        expect(response.status).toBe(status);
        await response.text();
      }
      // Where the length is not announced, who handles the page counts.
      if (path === "/agent/x") return;
      const stream = new Blob([body]).stream();
      const init = { method: "POST", body: stream, duplex: "half" as const };
      expect((await fetch(url + path, init)).status).toBe(status);
    },
  );

  it("SRV-11 keeps the connection for the next request once the unwanted body was read", async () => {
    const { port } = await startTestServer();
    const connection = await openRaw(port);
    connection.write(`PUT /v0/echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${MEGABYTE}\r\n\r\n`);
    connection.write(Buffer.alloc(MEGABYTE, "a"));
    await connection.until(/ 405 .*\r\n\r\n\{.*\}/s);
    connection.write("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(await connection.ended()).toContain('{"ok":true}');
  });

  it("SRV-12 stops reading an unwanted body at its limit in bytes, answers and closes", async () => {
    const { port } = await startTestServer({ dispatch: tooLarge, limits: { discardBytes: MEGABYTE } });
    const connection = await openRaw(port);
    connection.write(`POST /v0/x HTTP/1.1\r\nHost: a\r\nContent-Length: ${64 * MEGABYTE}\r\n\r\n`);
    connection.write(Buffer.alloc(2 * MEGABYTE, "a"));
    const answer = readAnswer(await connection.ended());
    expect([answer.status, answer.headers.get("connection")]).toEqual([413, "close"]);
  });

  it("SRV-12 stops waiting for an unwanted body at its limit in time, answers and closes", async () => {
    const { port } = await startTestServer({ dispatch: tooLarge, limits: { discardTimeoutMs: 100 } });
    const connection = await openRaw(port);
    connection.write("POST /v0/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc");
    const answer = readAnswer(await connection.ended());
    expect([answer.status, answer.headers.get("connection")]).toEqual([413, "close"]);
  });

  it("SRV-13 tells a handler that its client went away, and logs no error for it", async () => {
    let entered = false;
    let aborted = false;
    const server = await startTestServer({
      dispatch: async (request) => {
        entered = true;
        await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
        aborted = true;
        return json(200, {});
      },
    });
    const connection = await openRaw(server.port);
    connection.write("POST /v0/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
    await expect.poll(() => entered).toBe(true);
    connection.socket.destroy();
    await expect.poll(() => aborted).toBe(true);
    expect(await server.logged((line) => line.msg === "request")).toMatchObject({
      status: 499,
      aborted: true,
    });
  });

  it("SRV-13 survives a client that goes away in the middle of a body", async () => {
    const server = await startTestServer();
    const connection = await openRaw(server.port);
    connection.write("POST /v0/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc");
    connection.socket.end();
    await server.logged((line) => line.msg === "request");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.lines.filter((line) => line.level === "error")).toEqual([]);
  });
});

describe("slow clients", () => {
  const limits = { headersTimeoutMs: 150, requestTimeoutMs: 300, checkIntervalMs: 20, discardTimeoutMs: 200 };

  it.each([
    ["sends nothing", ""],
    ["stops inside the request line", "GET / HT"],
    ["stops inside its headers", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "],
    ["stops inside its body", "POST /v0/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"],
  ])("SRV-14 answers a client that %s with 408 and closes", async (_, bytes) => {
    const { port } = await startTestServer({ limits });
    const connection = await openRaw(port);
    connection.write(bytes);
    const answer = readAnswer(await connection.ended());
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([408, "request_timeout"]);
  });

  it("SRV-14 does not let a trickle of headers hold a connection (slowloris), while others are served", async () => {
    const { port, url } = await startTestServer({
      limits: { ...limits, headersTimeoutMs: 2_000, requestTimeoutMs: 2_000 },
    });
    const slow = await Promise.all(Array.from({ length: 50 }, () => openRaw(port)));
    const trickle = setInterval(() => {
      for (const { socket, write } of slow) if (socket.writable) write("X: y\r\n");
    }, 20);
    for (const { write } of slow) write("GET / HTTP/1.1\r\nHost: a\r\n");
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const answers = await Promise.all(slow.map(({ ended }) => ended()));
    clearInterval(trickle);
    expect(new Set(answers.map((text) => readAnswer(text).status))).toEqual(new Set([408]));
  });

  it("SRV-14 ends a kept connection that stays idle", async () => {
    const { port } = await startTestServer({ limits: { keepAliveTimeoutMs: 50 } });
    const connection = await openRaw(port);
    connection.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await connection.ended()).toContain('{"ok":true}');
  });
});
