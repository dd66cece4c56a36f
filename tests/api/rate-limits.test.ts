import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { takeCallerToken, takeFailureToken } from "@/lib/http/rate-limit";
import { makeToken } from "@/lib/kernel/token";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { send } from "../support/send";

useTestDatabase();

let key: string;
beforeEach(async () => {
  ({ key } = await makeAccount());
});

/** Empties a bucket for the next minute: by a clock ahead of ours, so that nothing flows in meanwhile. */
function drain(take: typeof takeCallerToken, name: string): void {
  const ahead = performance.now() + 60_000;
  while (take(name, ahead));
}

describe("rate limits", () => {
  beforeEach(() => {
    process.env.RATE_LIMIT = "on";
  });
  afterEach(() => {
    process.env.RATE_LIMIT = "off";
    delete process.env.TRUST_PROXY;
  });

  it.each([
    ["a caller", takeCallerToken, 600, 50],
    ["a failing address", takeFailureToken, 300, 5],
  ] as const)("HTTP-12 %s has a burst and a rate", (_, take, burst, perSecond) => {
    const name = `clock ${burst}`;
    const takeAll = (now: number) => {
      let taken = 0;
      while (take(name, now)) taken += 1;
      return taken;
    };
    expect(takeAll(1_000_000)).toBe(burst);
    expect(takeAll(1_000_000 + 1_000)).toBe(perSecond);
    expect(takeAll(1_000_000)).toBe(0);
    expect(takeAll(1_000_000 + 3_000)).toBe(2 * perSecond);
    expect(takeAll(1_000_000 + 3_600_000)).toBe(burst);
  });

  it("HTTP-13 answers 429 with Retry-After to a caller without tokens, and to no other", async () => {
    drain(takeCallerToken, key);
    const refused = await callApi(operations.ping, { key });
    expect([refused.status, refused.error.code]).toEqual([429, "too_many_requests"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // A blank that HTTP does not trim is no other name for it.
    expect((await callApi(operations.ping, { key: `${key}\u00a0` })).status).toBe(429);
    const other = await makeAccount();
    expect((await callApi(operations.ping, { key: other.key })).status).toBe(200);
  });

  it("HTTP-14 answers 429 to failed keys of an exhausted address, and never to a good key", async () => {
    const address = "192.0.2.1";
    drain(takeFailureToken, address);
    const bad = makeToken("ak").token;
    expect((await send("GET", "/v0/ping", { key: bad, address })).status).toBe(429);
    expect((await send("GET", "/v0/ping", { address })).status).toBe(429);
    expect((await send("GET", "/v0/ping", { key, address })).status).toBe(200);
    expect((await send("GET", "/v0/ping", { key: bad, address: "192.0.2.2" })).status).toBe(401);
  });

  it("HTTP-15 believes X-Forwarded-For only behind as many proxies as TRUST_PROXY says", async () => {
    drain(takeFailureToken, "198.51.100.7");
    const ask = async (forwarded: string, address: string) => {
      const headers = { "x-forwarded-for": forwarded };
      return (await send("GET", "/v0/ping", { address, headers })).status;
    };
    expect(await ask("198.51.100.7", "203.0.113.1")).toBe(401);
    process.env.TRUST_PROXY = "1";
    expect(await ask("198.51.100.7", "203.0.113.1")).toBe(429);
    expect(await ask("203.0.113.9, 198.51.100.7", "203.0.113.1")).toBe(429);
    expect(await ask("198.51.100.7, 203.0.113.9", "203.0.113.1")).toBe(401);
    process.env.TRUST_PROXY = "2";
    expect(await ask("198.51.100.7, 203.0.113.9", "203.0.113.1")).toBe(429);
    // Fewer hops than proxies, or words that are no address: the socket's peer counts.
    expect(await ask("203.0.113.9", "198.51.100.7")).toBe(429);
    process.env.TRUST_PROXY = "1";
    expect(await ask("nonsense", "198.51.100.7")).toBe(429);
  });

  it("HTTP-16 counts one IPv6 network, and one IPv4 address however it is written", async () => {
    const ask = async (address: string) => (await send("GET", "/v0/ping", { address })).status;
    // The bucket fills while it is emptied, so how many it takes depends on the machine.
    let last = 401;
    for (let i = 0; i < 2_000 && last === 401; i++) last = await ask(`2001:db8:1:2::${i.toString(16)}`);
    expect(last).toBe(429);
    expect(await ask("2001:db8:1:3::1")).toBe(401);
    drain(takeFailureToken, "192.0.2.77");
    expect(await ask("::ffff:192.0.2.77")).toBe(429);
  });

  it("HTTP-17 RATE_LIMIT=off lets everything through", async () => {
    drain(takeCallerToken, key);
    process.env.RATE_LIMIT = "off";
    expect((await callApi(operations.ping, { key })).status).toBe(200);
  });
});
