import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { MISSING, send, sendTo } from "../support/send";
import { BROWSER_HOST as HOST, signIn } from "../support/sign-in";

useTestDatabase();

let key: string;
let userId: string;
beforeEach(async () => {
  ({ key, userId } = await makeAccount());
});

const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe("order of checks", () => {
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

  it("HTTP-32 a body that comes again is understood alike, and one that differs in a byte is another", async () => {
    const { offerId } = await makeOffer({ city: "Zürich" });
    const search = async (body: string | Uint8Array) => {
      const answer = await send("POST", "/v0/market/search", { key, body });
      return { status: answer.status, said: await answer.json() };
    };
    const inCity = '{"query":{"location":["Zürich"]}}';
    for (const body of [inCity, inCity, `${inCity} `]) {
      const { said } = await search(body);
      expect(said).toMatchObject({ data: [{ id: offerId }], total_items: 1 });
    }
    // The same letters in another encoding are no UTF-8, also after the good one.
    for (const bad of [Buffer.from(inCity, "latin1"), '{"query":{"location":["Zürich"]}', '{"limit":0}']) {
      const [first, second] = [await search(bad), await search(bad)];
      expect(first.status).toBe(422);
      expect(second).toEqual(first);
    }
    expect((await search('{"query":{"location":["Zürich"]},"start":1}')).said).toMatchObject({
      data: [],
      total_items: 1,
    });
  });
});

describe("a signed-in browser", () => {
  const OWN = `http://${HOST}`;

  afterEach(() => {
    delete process.env.PUBLIC_URL;
  });

  const read = (headers: Record<string, string>) => send("GET", "/v0/templates", { headers });
  const write = (headers: Record<string, string>) =>
    send("POST", "/v0/templates/create", { headers, body: '{"name":"Mine","image":"ubuntu"}' });

  it("HTTP-27 reads on its cookie, unless another site asks", async () => {
    const cookie = await signIn();
    for (const site of ["same-origin", "none"]) {
      expect(await statusOf(read({ cookie, "sec-fetch-site": site }))).toBe(200);
    }
    expect(await statusOf(read({ cookie }))).toBe(200);
    for (const site of ["cross-site", "same-site", "other", ""]) {
      const answer = await read({ cookie, "sec-fetch-site": site });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: "forbidden_origin" });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("HTTP-28 writes only from its own pages: Origin is this very address", async () => {
    const cookie = await signIn();
    expect(await statusOf(write({ cookie, host: HOST, origin: OWN }))).toBe(200);
    for (const origin of [
      "null",
      "http://evil.example",
      "https://localhost:3000",
      "http://localhost:3001",
      "*",
    ]) {
      expect(await statusOf(write({ cookie, host: HOST, origin })), origin).toBe(403);
    }
    expect(await statusOf(write({ cookie, host: HOST }))).toBe(403);
    expect(await statusOf(write({ cookie, host: HOST, "sec-fetch-site": "same-origin" }))).toBe(403);
  });

  it("HTTP-29 behind a PUBLIC_URL only that one is its own", async () => {
    const cookie = await signIn();
    process.env.PUBLIC_URL = "http://gpu.example.com/";
    const origin = "http://gpu.example.com";
    expect(await statusOf(write({ cookie, host: HOST, origin: OWN }))).toBe(403);
    expect(await statusOf(write({ cookie, host: "gpu.example.com", origin }))).toBe(200);
  });

  it("HTTP-30 a key that is sent decides alone, and a bad cookie is no key", async () => {
    const cookie = await signIn();
    expect(await statusOf(send("GET", "/v0/ping", { key: "nonsense", headers: { cookie } }))).toBe(401);
    const foreign = { cookie, origin: "http://evil.example", host: HOST };
    expect(await statusOf(send("DELETE", `/v0/templates/${MISSING}`, { key, headers: foreign }))).toBe(404);
    const name = cookie.split("=")[0];
    for (const bad of [`${cookie}x`, `${name}=`, `${name}=%ff`, "x=y", ";;;"]) {
      expect(await statusOf(read({ cookie: bad })), bad).toBe(401);
    }
  });
});
