import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeApiKeyToken } from "@/lib/accounts/api-key-token";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { type IdempotentCall, onceForKey } from "@/lib/http/idempotency";
import { takeCallerToken, takeFailureToken } from "@/lib/http/rate-limit";
import { callApi, makeAccount, makeOffer, makeTemplate, pathOf } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { MISSING, send, sendTo } from "../support/send";

useTestDatabase();

let key: string;
let userId: string;
beforeEach(async () => {
  ({ key, userId } = await makeAccount());
});

const template = { name: "Mine", image: "ubuntu" };

function createTemplate(idempotencyKey: string, body: object = template, as = key) {
  const headers = { "idempotency-key": idempotencyKey };
  return callApi(operations.createTemplate, { key: as, body, headers });
}

function countTemplates(): Promise<number> {
  return db().template.count({ where: { userId } });
}

describe("Idempotency-Key", () => {
  it("HTTP-01 gives a repeat the first answer, and does the work once", async () => {
    const first = await createTemplate("a");
    const again = await createTemplate("a");
    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await countTemplates()).toBe(1);
    expect((await createTemplate("b")).body.data.id).not.toBe(first.body.data.id);
  });

  it("HTTP-02 refuses another request under a used key, by its body, path or query", async () => {
    await createTemplate("a");
    const other = await createTemplate("a", { ...template, name: "Other" });
    expect(other.status).toBe(422);
    expect(other.error.detail).toEqual([
      { loc: ["header", "Idempotency-Key"], msg: expect.any(String), type: "value_error" },
    ]);
    const headers = { "idempotency-key": "a" };
    const path = pathOf(operations.controlInstance, { instance_id: MISSING });
    expect((await send("PUT", path, { key, headers })).status).toBe(404);
    expect((await send("PUT", `${path}?action=pause`, { key, headers })).status).toBe(422);
  });

  it("HTTP-03 keeps keys apart by account and by operation", async () => {
    const first = await createTemplate("a");
    const other = await makeAccount();
    const theirs = await createTemplate("a", template, other.key);
    expect(theirs.body.data.id).not.toBe(first.body.data.id);
    const headers = { "idempotency-key": "a" };
    const params = { template_id: first.body.data.id };
    expect((await callApi(operations.deleteTemplate, { key, params, headers })).status).toBe(200);
    expect((await callApi(operations.deleteTemplate, { key, params, headers })).status).toBe(200);
    expect((await callApi(operations.deleteTemplate, { key, params })).status).toBe(404);
  });

  it("HTTP-04 lets one of many at once work; the others get its answer or a 409", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => createTemplate("a")));
    const good = answers.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ body }) => body.data.id)).size).toBe(1);
    for (const { status, error } of answers) {
      if (status !== 200) expect([status, error.code]).toEqual([409, "action_in_progress"]);
    }
    expect(await countTemplates()).toBe(1);
  });

  it("HTTP-05 answers 409 while the first one runs", async () => {
    let finish: (answer: Response) => void = () => undefined;
    let first: Promise<Response> | undefined;
    await new Promise<void>((started) => {
      first = onceForKey(makeCall(), () => {
        started();
        return new Promise((resolve) => {
          finish = resolve;
        });
      });
    });
    await expect(onceForKey(makeCall(), neverRun)).rejects.toMatchObject({ code: "action_in_progress" });
    finish(new Response("done"));
    await first;
    expect(await (await onceForKey(makeCall(), neverRun)).text()).toBe("done");
  });

  it.each([429, 500, 503])("HTTP-06 does not keep a %d: the retry works anew", async (status) => {
    const failed = await onceForKey(makeCall(), async () => new Response("no", { status }));
    expect(failed.status).toBe(status);
    const retried = await onceForKey(makeCall(), async () => new Response("yes"));
    expect(await retried.text()).toBe("yes");
  });

  it.each([402, 404, 409])("HTTP-07 keeps a %d", async (status) => {
    await onceForKey(makeCall(), async () => new Response("no", { status }));
    const retried = await onceForKey(makeCall(), neverRun);
    expect([retried.status, await retried.text()]).toEqual([status, "no"]);
  });

  it("HTTP-08 forgets a key after 24 hours", async () => {
    await createTemplate("a");
    await db().$executeRaw`UPDATE idempotent_request SET created_at = now() - interval '24 hours 1 second'`;
    expect((await createTemplate("a", { ...template, name: "Other" })).status).toBe(200);
    expect(await countTemplates()).toBe(2);
  });

  it("HTTP-09 a rent that is retried with its key rents once", async () => {
    const { offerId } = await makeOffer();
    const { templateId } = await makeTemplate(userId);
    const rentOnce = () =>
      callApi(operations.createInstance, {
        key,
        body: { offer_id: offerId, template_id: templateId },
        headers: { "idempotency-key": "rent-1" },
      });
    const first = await rentOnce();
    const again = await rentOnce();
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await db().instance.count({ where: { userId } })).toBe(1);
  });

  it.each(["", "a b", "x".repeat(256), "ä"])("HTTP-10 refuses the key %j", async (bad) => {
    const answer = await send("POST", "/v0/templates/create", {
      key,
      headers: { "idempotency-key": bad },
      body: JSON.stringify(template),
    });
    expect(answer.status).toBe(422);
    expect((await answer.json()).detail[0].loc).toEqual(["header", "Idempotency-Key"]);
  });

  it("HTTP-11 is nothing to a GET", async () => {
    const headers = { "idempotency-key": "a" };
    for (const path of ["/v0/ping", "/v0/secrets"]) {
      expect((await send("GET", path, { key, headers })).status).toBe(200);
    }
    expect(await db().idempotentRequest.count({ where: { userId } })).toBe(0);
  });

  function makeCall(): IdempotentCall {
    return { userId, operation: "test", key: "a", requestHash: Buffer.alloc(32) };
  }
});

async function neverRun(): Promise<Response> {
  throw new Error("this must not run");
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
    const drain = (now: number) => {
      let taken = 0;
      while (take(name, now)) taken += 1;
      return taken;
    };
    expect(drain(1_000_000)).toBe(burst);
    expect(drain(1_000_000 + 1_000)).toBe(perSecond);
    expect(drain(1_000_000)).toBe(0);
    expect(drain(1_000_000 + 3_000)).toBe(2 * perSecond);
    expect(drain(1_000_000 + 3_600_000)).toBe(burst);
  });

  it("HTTP-13 answers 429 with Retry-After to a caller without tokens, and to no other", async () => {
    while (takeCallerToken(key));
    const refused = await callApi(operations.ping, { key });
    expect([refused.status, refused.error.code]).toEqual([429, "too_many_requests"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const other = await makeAccount();
    expect((await callApi(operations.ping, { key: other.key })).status).toBe(200);
  });

  it("HTTP-14 answers 429 to failed keys of an exhausted address, and never to a good key", async () => {
    const address = "192.0.2.1";
    while (takeFailureToken(address));
    const bad = makeApiKeyToken().token;
    expect((await send("GET", "/v0/ping", { key: bad, address })).status).toBe(429);
    expect((await send("GET", "/v0/ping", { address })).status).toBe(429);
    expect((await send("GET", "/v0/ping", { key, address })).status).toBe(200);
    expect((await send("GET", "/v0/ping", { key: bad, address: "192.0.2.2" })).status).toBe(401);
  });

  it("HTTP-15 believes X-Forwarded-For only behind as many proxies as TRUST_PROXY says", async () => {
    while (takeFailureToken("198.51.100.7"));
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
    for (let i = 0; i < 300; i++) await ask(`2001:db8:1:2::${i.toString(16)}`);
    expect(await ask("2001:db8:1:2:ffff::1")).toBe(429);
    expect(await ask("2001:db8:1:3::1")).toBe(401);
    while (takeFailureToken("192.0.2.77"));
    expect(await ask("::ffff:192.0.2.77")).toBe(429);
  });

  it("HTTP-17 RATE_LIMIT=off lets everything through", async () => {
    while (takeCallerToken(key));
    process.env.RATE_LIMIT = "off";
    expect((await callApi(operations.ping, { key })).status).toBe(200);
  });
});

describe("order of checks", () => {
  const statusOf = async (answer: Promise<Response>) => (await answer).status;

  it("HTTP-18 an unknown path and a wrong method come before the key", async () => {
    expect(await statusOf(send("POST", "/v0/nothing"))).toBe(404);
    expect(await statusOf(send("POST", "/v0/ping"))).toBe(405);
  });

  it("HTTP-19 the key comes before size, type and what is in the request", async () => {
    const text = { headers: { "content-type": "text/plain" }, body: "x" };
    expect(await statusOf(send("POST", "/v0/secrets", text))).toBe(401);
    expect(await statusOf(send("POST", "/v0/secrets", { body: "x".repeat(300_000) }))).toBe(401);
    expect(await statusOf(send("POST", "/v0/secrets", { body: "{" }))).toBe(401);
    expect(await statusOf(send("GET", "/v0/instances?currency=EUR"))).toBe(401);
  });

  it("HTTP-20 size comes before type, type before 422, 422 before scope, scope before 404", async () => {
    const big = { key, headers: { "content-type": "text/plain" }, body: "x".repeat(300_000) };
    expect(await statusOf(send("PUT", `/v0/hosts/${MISSING}?currency=EUR`, big))).toBe(413);
    const text = { key, headers: { "content-type": "text/plain" }, body: "{" };
    expect(await statusOf(send("PUT", `/v0/hosts/${MISSING}?currency=EUR`, text))).toBe(415);
    const weak = (await makeAccount({ scopes: [] })).key;
    expect(await statusOf(send("PUT", `/v0/hosts/${MISSING}`, { key: weak, body: "{}" }))).toBe(422);
    expect(await statusOf(send("PUT", `/v0/hosts/${MISSING}`, { key: weak, body: '{"price":1}' }))).toBe(403);
    expect(await statusOf(send("PUT", `/v0/hosts/${MISSING}`, { key, body: '{"price":1}' }))).toBe(404);
  });

  it("HTTP-21 a missing template comes before a lack of money, that before a taken offer", async () => {
    const poor = await makeAccount({ balanceUsd: 0 });
    const { offerId } = await makeOffer({ leased: true });
    const { templateId } = await makeTemplate(poor.userId);
    const ask = (body: object, as: string) =>
      sendTo(operations.createInstance, { body: { offer_id: offerId, ...body } }, { key: as });
    expect(await statusOf(ask({ template_id: MISSING }, poor.key))).toBe(404);
    expect(await statusOf(ask({ template_id: templateId }, poor.key))).toBe(402);
    const own = await makeTemplate(userId);
    expect(await statusOf(ask({ template_id: own.templateId }, key))).toBe(409);
  });
});

describe("bodies", () => {
  it("HTTP-22 takes up to 256 KiB, whatever Content-Length says", async () => {
    const fill = (size: number) => `{"x":"${"a".repeat(size - 8)}"}`;
    const ask = async (size: number) =>
      (await send("POST", "/v0/market/search", { key, body: fill(size) })).status;
    expect(await ask(256 * 1024)).toBe(200);
    expect(await ask(256 * 1024 + 1)).toBe(413);
    const announced = { "content-length": "300000" };
    expect((await send("POST", "/v0/market/search", { key, headers: announced, body: "{}" })).status).toBe(
      413,
    );
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonp",
    "json",
    "application/json, text/plain",
  ])("HTTP-23 refuses %s with 415", async (type) => {
    const answer = await send("POST", "/v0/market/search", {
      key,
      headers: { "content-type": type },
      body: "{}",
    });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: "unsupported_media_type" });
  });

  it.each([
    undefined,
    "application/json",
    "application/JSON; charset=utf-8",
    "application/vnd.api+json",
    "application/merge-patch+json;x=y",
  ])("HTTP-24 reads %s as JSON", async (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    expect((await send("POST", "/v0/market/search", { key, headers, body: "{}" })).status).toBe(200);
  });

  it("HTTP-25 ignores a body where the operation takes none, whatever it is", async () => {
    const params = { instance_id: MISSING };
    for (const body of ["{", "x".repeat(300_000), "\u0000"]) {
      const options = { key, headers: { "content-type": "text/plain" }, body };
      for (const operation of [
        operations.rebootInstance,
        operations.controlInstance,
        operations.deleteInstance,
      ]) {
        expect((await sendTo(operation, { params }, options)).status).toBe(404);
      }
    }
  });

  it("HTTP-26 takes no body, an empty one and {} as the same search", async () => {
    for (const options of [{ key }, { key, body: "" }, { key, body: "{}" }]) {
      expect((await send("POST", "/v0/market/search", options)).status).toBe(200);
    }
  });
});
