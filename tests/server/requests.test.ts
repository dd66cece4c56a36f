import { afterEach, describe, expect, it } from "vitest";
import { readAnswer, sendRaw } from "./raw-client";
import { json, startTestServer, stopTestServers } from "./start-test-server";

afterEach(stopTestServers);

const raw = (line: string, ...headers: string[]) =>
  `${[line, "Host: 127.0.0.1", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`;

/** The answer has the flat error shape of the decisions, and the same request id in header and body. */
function expectProblem(
  answer: { status: number; headers: Headers; body: string },
  status: number,
  code: string,
) {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  const body = JSON.parse(answer.body);
  expect(body).toEqual({
    ok: false,
    detail: expect.any(String),
    code,
    status,
    title: expect.any(String),
    type: `/errors/${code}`,
    request_id: answer.headers.get("x-request-id"),
  });
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
}

describe("requests", () => {
  it("SRV-01 hands /v0 to dispatch as a standard Request with the peer's address", async () => {
    const { url } = await startTestServer();
    const response = await fetch(`${url}/v0/echo?a=1`, {
      method: "POST",
      body: "привет",
      headers: { "x-request-id": "mine-1" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-request-id")).toBe("mine-1");
    expect(await response.json()).toMatchObject({
      body: "привет",
      peer: "127.0.0.1",
      url: `${url}/v0/echo?a=1`,
      headers: { "x-request-id": "mine-1" },
    });
  });

  it("SRV-01 gives everything that is neither /v0 nor an agent's to the pages", async () => {
    const { url } = await startTestServer();
    for (const path of ["/", "/v0x", "/agent", "/auth/sign-in", "/a%20b?x=%ff"]) {
      expect(await (await fetch(url + path)).text()).toBe(`<p>page ${path}</p>`);
    }
    expect((await fetch(`${url}/auth/sign-in`, { method: "POST", body: "{}" })).status).toBe(200);
    const reported = await fetch(`${url}/agent/report`, { method: "POST", body: "{}" });
    expect(await reported.json()).toEqual({ ok: false, code: "not_found" }); // dispatch's own words
    const posted = await fetch(`${url}/`, { method: "POST", body: "x" });
    expect(posted.headers.get("allow")).toBe("GET, HEAD");
    expectProblem(
      { status: posted.status, headers: posted.headers, body: await posted.text() },
      405,
      "method_not_allowed",
    );
  });

  it.each([
    "/%ff",
    "/v0/t/%ff",
    "/v0/t/%",
    "/%zz",
    "//",
    "//v0/echo",
    "/v0//echo",
    "/v0\\echo",
    "/\\evil.example",
    "/v0/../agent",
    "/v0/%2e%2E/agent",
    "/.",
    "*",
    "http://evil.example/v0/echo",
    "v0/echo",
    "/v0/echo#x",
    "/v0",
    "/v0?a=1",
    "/v0/caf\xc3\xa9",
  ])("SRV-02 answers the path %s with 404 in the error shape", async (path) => {
    const { port } = await startTestServer({
      dispatch: async () => json(200, { reached: "dispatch" }),
      pages: async (_, outgoing) => void outgoing.end("reached pages"),
    });
    const method = path === "*" ? "OPTIONS" : "GET";
    const bytes = Buffer.from(raw(`${method} ${path} HTTP/1.1`), "latin1");
    expectProblem(readAnswer(await sendRaw(port, bytes)), 404, "not_found");
  });

  it("SRV-02 takes an absolute target that names the host it was asked as", async () => {
    const { port } = await startTestServer();
    const answer = readAnswer(await sendRaw(port, raw("GET http://127.0.0.1/a?b=1 HTTP/1.1")));
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("page /a?b=1") });
  });

  it("SRV-03 refuses a long address with 414 and large headers with 431", async () => {
    const { port } = await startTestServer();
    for (const size of [8 * 1024, 12 * 1024, 40 * 1024, 200 * 1024]) {
      const answer = readAnswer(await sendRaw(port, raw(`GET /${"a".repeat(size)} HTTP/1.1`)));
      expectProblem(answer, 414, "uri_too_long");
    }
    for (const size of [16 * 1024, 100 * 1024, 1024 * 1024]) {
      const answer = readAnswer(await sendRaw(port, raw("GET / HTTP/1.1", `X-Big: ${"a".repeat(size)}`)));
      expectProblem(answer, 431, "headers_too_large");
    }
    const many = Array.from({ length: 2000 }, (_, i) => `X-${i}: ${i}`);
    expectProblem(readAnswer(await sendRaw(port, raw("GET / HTTP/1.1", ...many))), 431, "headers_too_large");
    const fine = readAnswer(
      await sendRaw(port, raw(`GET /${"a".repeat(8000)} HTTP/1.1`, `X: ${"a".repeat(7000)}`)),
    );
    expect(fine.status).toBe(200);
  });

  it.each([
    "hello\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    raw("POST /v0/echo HTTP/1.1", "Content-Length: 3", "Transfer-Encoding: chunked"),
    raw("POST /v0/echo HTTP/1.1", "Content-Length: -1"),
    raw("POST /v0/echo HTTP/1.1", "Content-Length: 1", "Content-Length: 2"),
    raw("GET / HTTP/1.1", "Bad Name: x"),
    raw("GET / HTTP/1.1", "X: a\0b"),
    `${raw("POST /v0/echo HTTP/1.1", "Transfer-Encoding: chunked")}zz\r\n`,
  ])("SRV-04 answers bytes that are no request with 400 in the error shape: %j", async (bytes) => {
    const { port } = await startTestServer();
    expectProblem(readAnswer(await sendRaw(port, bytes)), 400, "bad_request");
  });

  it("SRV-04 answers an unknown method with 405 and Allow, also where the parser does not know it", async () => {
    const { port } = await startTestServer();
    for (const method of ["PROPFIND", "TRACE", "PATCH", "FOO", "get", "x-y"]) {
      const known = readAnswer(await sendRaw(port, raw(`${method} /v0/echo HTTP/1.1`)));
      expect([method, known.status, known.headers.get("allow")]).toEqual([method, 405, "POST"]);
      expect(known.headers.get("x-request-id")).toBeTruthy();
      const missing = readAnswer(await sendRaw(port, raw(`${method} /v0/none HTTP/1.1`)));
      expect([method, missing.status]).toEqual([method, 404]);
      const page = readAnswer(await sendRaw(port, raw(`${method} / HTTP/1.1`)));
      expectProblem(page, 405, "method_not_allowed");
      expect(page.headers.get("allow")).toBe("GET, HEAD");
    }
    for (const target of ["example.com:443", "/", "/v0/echo"]) {
      const connected = readAnswer(await sendRaw(port, raw(`CONNECT ${target} HTTP/1.1`)));
      expect([target, connected.status, connected.headers.has("allow")]).toEqual([target, 405, true]);
    }
  });

  it("SRV-05 wants exactly one well-formed Host, and none of HTTP/1.0", async () => {
    const { port } = await startTestServer();
    const bad = [
      "",
      "Host: a b\r\n",
      "Host: a\r\nHost: b\r\n",
      "Host: a/b\r\n",
      "Host: u@h\r\n",
      "Host:\r\n",
    ];
    for (const headers of bad) {
      const text = await sendRaw(port, `GET /v0/echo HTTP/1.1\r\nConnection: close\r\n${headers}\r\n`);
      expectProblem(readAnswer(text), 400, "bad_request");
    }
    for (const host of ["[::1]:3000", "example.com", "localhost:80", "a_b.internal"]) {
      const text = await sendRaw(port, `GET / HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n\r\n`);
      expect(readAnswer(text).status).toBe(200);
    }
    expect(readAnswer(await sendRaw(port, "GET /v0/none HTTP/1.0\r\n\r\n")).status).toBe(404);
  });

  it("SRV-06 refuses an unknown Upgrade and serves a request that merely offers HTTP/2", async () => {
    const { port } = await startTestServer();
    const offer = (protocol: string, path = "/") =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;
    for (const protocol of ["websocket", "foo/2", "h2c, websocket"]) {
      expectProblem(readAnswer(await sendRaw(port, offer(protocol))), 404, "not_found");
    }
    expect(readAnswer(await sendRaw(port, offer("h2c"))).status).toBe(200);
    expect(readAnswer(await sendRaw(port, offer("TLS/1.0, h2c", "/healthz"))).status).toBe(200);
  });

  it("SRV-07 continues a request that expects 100 and refuses other expectations with 417", async () => {
    const { port } = await startTestServer();
    const expecting = raw("POST /v0/echo HTTP/1.1", "Content-Length: 2", "Expect: 100-continue");
    const text = await sendRaw(port, `${expecting}hi`);
    expect(text).toMatch(/^HTTP\/1.1 100 Continue/);
    expect(JSON.parse(readAnswer(text).body).body).toBe("hi");
    const odd = raw("POST /v0/echo HTTP/1.1", "Content-Length: 2", "Expect: 200-maybe");
    expectProblem(readAnswer(await sendRaw(port, `${odd}hi`)), 417, "expectation_failed");
  });

  it("SRV-08 keeps a well-formed request id and replaces any other, in header, body and request alike", async () => {
    const { url, port } = await startTestServer();
    for (const given of ["a b", "x".repeat(65), "a,b", '"']) {
      const response = await fetch(`${url}/v0/echo`, { method: "POST", headers: { "x-request-id": given } });
      const id = response.headers.get("x-request-id");
      expect(id).toMatch(/^req_[0-9a-f]{24}$/);
      expect((await response.json()).headers["x-request-id"]).toBe(id);
    }
    const twice = await sendRaw(port, raw("GET /v0 HTTP/1.1", "X-Request-Id: a", "X-Request-Id: b"));
    expect(readAnswer(twice).headers.get("x-request-id")).toMatch(/^req_/);
    for (const path of ["/", "/v0", "/healthz", "/%ff"]) {
      const kept = readAnswer(await sendRaw(port, raw(`GET ${path} HTTP/1.1`, "X-Request-Id: A.b_c-1")));
      expect(kept.headers.get("x-request-id")).toBe("A.b_c-1");
    }
  });

  it("SRV-09 puts the security headers on every answer, and HSTS only under https", async () => {
    const plain = await startTestServer();
    const secure = await startTestServer({ publicUrl: "https://gpu.example" });
    for (const path of ["/", "/v0/none", "/healthz", "/v0"]) {
      const { headers } = await fetch(plain.url + path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBeTruthy();
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("strict-transport-security")).toBeNull();
      expect((await fetch(secure.url + path)).headers.get("strict-transport-security")).toBe(
        "max-age=31536000",
      );
    }
  });

  it("SRV-10 answers 500 with fixed text where a handler throws, and goes on", async () => {
    const server = await startTestServer({
      dispatch: async () => {
        throw new Error("secret inside");
      },
      pages: async () => {
        throw new Error("secret inside");
      },
    });
    for (const path of ["/v0/x", "/"]) {
      const response = await fetch(server.url + path);
      const answer = { status: response.status, headers: response.headers, body: await response.text() };
      expectProblem(answer, 500, "internal_error");
      expect(answer.body).not.toContain("secret");
    }
    expect(server.lines.filter((line) => line.level === "error")).toHaveLength(2);
  });
});
