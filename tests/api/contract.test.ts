import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "@/lib/accounts/create-api-key";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operations";
import { scopes } from "@/lib/contract/words";
import { db } from "@/lib/db/client";
import { routeModules } from "@/lib/http/route-modules";
import { makeToken } from "@/lib/kernel/token";
import { checkAnswer, makeAccount, makeOffer, makeProvider, makeTemplate, pathOf } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { allOperations, MISSING, missingParams, send, sendTo } from "../support/send";
import { happyInput, makeHost, makeSecret, makeWorld, rent, type World } from "../support/world";

useTestDatabase();

const METHODS = ["GET", "POST", "PUT", "DELETE"];
const documented = allOperations.map(([, { method, path }]) => ({ method: method as string, path }));

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

/** Any path of the operation: its parameters name nothing. */
function somePath(operation: Operation): string {
  return pathOf(operation, missingParams(operation));
}

async function readAnswer(operation: Operation, answer: Response): Promise<Record<string, unknown>> {
  const body = await answer.json();
  checkAnswer(operation, answer.status, body);
  return body;
}

const forKeys = allOperations.filter(([, { sessionOnly }]) => !sessionOnly);
const forBrowsers = allOperations.filter(([, { sessionOnly }]) => sessionOnly);

describe("every operation", () => {
  it.each(forKeys)("CON-01 %s answers what its contract says", async (id, operation) => {
    const own = await makeWorld();
    const answer = await sendTo(operation, happyInput(own)[id], { key: own.key });
    expect(await readAnswer(operation, answer)).toMatchObject({ ok: true });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it.each(allOperations)(
    "CON-02 %s without a key is a 401 that says how to bring one",
    async (_, operation) => {
      const answer = await send(operation.method, somePath(operation));
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toMatch(/^ApiKey .*X-Api-Key/);
      expect(await readAnswer(operation, answer)).toMatchObject({ code: "invalid_api_key" });
    },
  );

  it.each(allOperations)(
    "CON-03 %s takes no malformed, unknown, revoked or expired key",
    async (_, operation) => {
      const keys = ["", "nonsense", `${world.key}x`, world.key.slice(0, -1), makeToken("ak").token];
      keys.push(await spoilKey({ revokedAt: new Date() }), await spoilKey({ expiresAt: new Date(0) }));
      const bodies = new Set<string>();
      for (const key of keys) {
        const headers = { "x-request-id": "same" };
        const answer = await send(operation.method, somePath(operation), { key, headers });
        expect(answer.status).toBe(401);
        bodies.add(await answer.text());
      }
      expect([...bodies]).toHaveLength(1);
    },
  );

  it.each(forBrowsers)("CON-18 %s is closed to every key", async (id, operation) => {
    const answer = await sendTo(operation, happyInput(world)[id], { key: world.key });
    expect(answer.status).toBe(403);
    expect(await readAnswer(operation, answer)).toMatchObject({ code: "session_required" });
  });

  const scoped = allOperations.filter(([, { scope }]) => scope !== null);

  it.each(scoped)("CON-04 %s needs its scope and no other", async (id, operation) => {
    const input = happyInput(world)[id];
    const roles = operation.role ? [operation.role] : ["renter"];
    const { key } = await makeAccount({
      roles,
      scopes: scopes.filter((scope) => scope !== operation.scope),
    });
    const refused = await sendTo(operation, input, { key });
    expect(refused.status).toBe(403);
    expect(await readAnswer(operation, refused)).toMatchObject({ code: "scope_missing" });
    const only = await makeAccount({ roles, scopes: operation.scope ? [operation.scope] : [] });
    const allowed = await sendTo(
      operation,
      { ...input, params: missingParams(operation) },
      { key: only.key },
    );
    expect(allowed.status).not.toBe(403);
  });

  it.each(allOperations)("CON-05 %s is closed to a suspended account", async (id, operation) => {
    const { key, userId } = await makeAccount();
    await db().user.update({ where: { id: userId }, data: { suspendedAt: new Date() } });
    const answer = await sendTo(operation, happyInput(world)[id], { key });
    expect(answer.status).toBe(403);
    expect(await readAnswer(operation, answer)).toMatchObject({ code: "account_suspended" });
  });

  const read = allOperations.filter(([, { method }]) => method === "GET");

  it.each(read)("CON-06 %s answers HEAD as GET without the body", async (id, operation) => {
    const path = pathOf(operation, happyInput(world)[id].params);
    const get = await send("GET", path, { key: world.key });
    const head = await send("HEAD", path, { key: world.key });
    expect(head.status).toBe(get.status);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(await head.text()).toBe("");
  });

  it.each(allOperations)("CON-07 %s keeps a good request id and replaces another", async (_, operation) => {
    const ask = async (id: string, key?: string) => {
      const answer = await send(operation.method, somePath(operation), {
        key,
        headers: { "x-request-id": id },
      });
      return answer.headers.get("x-request-id");
    };
    for (const key of [world.key, undefined]) {
      expect(await ask("a.B_c-1", key)).toBe("a.B_c-1");
      for (const bad of ["with space", "x".repeat(65), "a/b", ""]) {
        expect(await ask(bad, key)).toMatch(/^req_[0-9A-Za-z]{20}$/);
      }
    }
  });
});

describe("paths and methods", () => {
  it.each(Object.keys(routeModules))("CON-08 %s answers other methods with 405 and Allow", async (path) => {
    const own = documented.filter((operation) => operation.path === path).map(({ method }) => method);
    if (path === "/v0/openapi.json") own.push("GET");
    const allowed = own.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const address = path.replaceAll(/\{\w+\}/g, MISSING);
    for (const method of [...METHODS, "HEAD", "PATCH", "OPTIONS", "PROPFIND", "constructor", "__proto__"]) {
      if (allowed.includes(method)) continue;
      const answer = await send(method, address, { key: world.key });
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...allowed].sort());
      if (method !== "HEAD") expect(await answer.json()).toMatchObject({ code: "method_not_allowed" });
    }
  });

  it.each([
    "/v0/",
    "/v0/nothing",
    "/v0/ping/",
    "/v0/Ping",
    "/v0/templates/",
    "/v0/templates/a/b",
    "/v0/templates/%ff",
    "/v0/templates/%",
    "/v0//ping",
    "/v0/instances/secrets/",
    "/v0/__proto__",
    "/v0/constructor",
  ])("CON-09 %s is a 404 in JSON, with a key or without", async (path) => {
    for (const key of [world.key, undefined]) {
      const answer = await send("GET", path, { key });
      expect(answer.status).toBe(404);
      expect(await readAnswer(operations.ping, answer)).toMatchObject({ code: "not_found" });
    }
  });

  it("CON-10 has a route file for each path and an export for each method, all made by route()", async () => {
    const root = join(import.meta.dirname, "../../app");
    const files = readdirSync(join(root, "v0"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("route.ts"))
      .map((file) => `/v0/${file.slice(0, -"/route.ts".length)}`.replaceAll(/\[(\w+)\]/g, "{$1}"));
    const paths = [...new Set(documented.map(({ path }) => path as string))];
    const known = [...paths, "/v0/openapi.json"].sort();
    expect(Object.keys(routeModules).sort()).toEqual(known);
    expect(files.sort()).toEqual(known);
    for (const path of paths) {
      const own = allOperations.filter(([, operation]) => operation.path === path);
      const module = await routeModules[path]?.();
      expect(Object.keys(module ?? {}).sort()).toEqual(own.map(([, { method }]) => method as string).sort());
      const file = join(root, `${path.replaceAll(/\{(\w+)\}/g, "[$1]")}/route.ts`);
      const source = readFileSync(file, "utf8");
      for (const [id, { method }] of own) {
        expect(source).toMatch(new RegExp(`^export const ${method} = route\\(\\s*operations\\.${id},`, "m"));
      }
    }
  });

  it("CON-11 gives the OpenAPI document without a key, and to HEAD", async () => {
    const answer = await send("GET", "/v0/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    const document = await answer.json();
    expect(document.openapi).toMatch(/^3\.1/);
    const listed = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method.toLowerCase() in item).map((method) => `${method} ${path}`),
    );
    expect(listed.sort()).toEqual(documented.map(({ method, path }) => `${method} ${path}`).sort());
    expect((await send("HEAD", "/v0/openapi.json")).status).toBe(200);
  });
});

describe("errors", () => {
  it("CON-12 are one flat object of exactly the decided members", async () => {
    const path = somePath(operations.getTemplate);
    const answer = await send("GET", path, { key: world.key, headers: { "x-request-id": "mine" } });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({
      ok: false,
      detail: expect.any(String),
      code: "not_found",
      status: 404,
      title: "Not Found",
      type: "/errors/not_found",
      request_id: "mine",
    });
  });

  const bodyTakers = allOperations.filter(([, { body }]) => body);

  it.each(bodyTakers)("CON-13 %s refuses what is no JSON object as 422 at body", async (id, operation) => {
    const input = { params: happyInput(world)[id].params ?? {} };
    for (const body of ["{", "[]", "1", '"x"', "null", "NaN", "{'a':1}", '{"a":1}{}']) {
      const answer = await sendTo(operation, input, { key: world.key, body });
      expect(answer.status, body).toBe(422);
      const { detail } = await answer.json();
      expect(detail).toEqual([{ loc: ["body"], msg: expect.any(String), type: expect.any(String) }]);
    }
    const empty = await sendTo(operation, input, { key: world.key, body: "" });
    if (!operation.emptyBody) expect(empty.status).toBe(422);
  });

  it("CON-14 a 422 carries every issue at once, each with loc, msg and type alone", async () => {
    const path = `${pathOf(operations.updateHost, { host_id: world.hostId })}?currency=EUR`;
    const answer = await send("PUT", path, { key: world.key, body: '{"price":"much"}' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({
      detail: [
        { loc: ["query", "currency"], msg: expect.any(String), type: "enum" },
        { loc: ["body", "price"], msg: expect.any(String), type: "float_type" },
      ],
    });
  });

  it.each([
    ["listInstances", "currency", "EUR"],
    ["listInstances", "locale", "de"],
    ["listInstances", "lang", "de"],
    ["listHosts", "currency", "usd"],
    ["listHosts", "locale", "EN"],
    ["listTemplates", "sort_by", "name"],
    ["listTemplates", "type", "vnc"],
    ["listProviders", "sort_by", "price_asc"],
    ["listProviders", "locale", "fr"],
    ["getGpu", "currency", "BTC"],
    ["getGpu", "locale", "xx"],
    ["updateHost", "currency", "EUR"],
    ["controlInstance", "action", "stop"],
    ["listApiKeys", "limit", "0"],
    ["listSecrets", "limit", "0"],
    ["listSecrets", "limit", "1001"],
    ["listSecrets", "limit", "1e1"],
    ["listSecrets", "start", "-1"],
    ["getBilling", "currency", "EUR"],
    ["listBillingUsage", "from", "2026-02-30"],
    ["listBillingUsage", "limit", "0"],
    ["listEvents", "type", "instance"],
    ["listEvents", "limit", "0"],
    ["listEvents", "after", "x"],
    ["listHostEarnings", "to", "today"],
    ["listInstanceLogs", "tail", "1001"],
    ["listInstanceLogs", "since", "yesterday"],
    ["listInstanceLogs", "after", "x"],
    ["listInstanceMetrics", "from", "10 minutes"],
    ["listInstanceMetrics", "to", "2026-02-30"],
    ["listOperatorAccounts", "limit", "0"],
    ["listOperatorAccounts", "search", "\u0000"],
    ["listOperatorHosts", "status", "banned"],
    ["listOperatorInstances", "status", "x"],
    ["listOperatorTemplates", "start", "-1"],
    ["listRates", "limit", "1001"],
    ["listImports", "limit", "0"],
    ["createImport", "name", ""],
    ["createImport", "format", "xml"],
    ["createImport", "runtime", "docker"],
  ] as const)("CON-15 %s with %s=%s is a 422 at that parameter", async (id, name, value) => {
    const happy = happyInput(world)[id];
    const input = { ...happy, query: { ...happy.query, [name]: value } };
    const answer = await sendTo(operations[id], input, { key: world.key });
    expect(answer.status).toBe(422);
    const { detail } = await answer.json();
    expect(detail).toEqual([{ loc: ["query", name], msg: expect.any(String), type: expect.any(String) }]);
  });
});

describe("lists", () => {
  it("CON-16 have start, limit and total_items, and no page repeats or loses a row", async () => {
    const { userId, key } = await makeAccount();
    const { templateId } = await makeTemplate(userId);
    for (let i = 0; i < 3; i++) {
      await makeTemplate(userId);
      await makeSecret(key);
      await makeHost(userId);
      await createApiKey({ userId, name: "another" });
      await makeProvider();
      await rent(key, { offer_id: (await makeOffer()).offerId, template_id: templateId });
    }
    for (const id of [
      "listInstances",
      "listTemplates",
      "listSecrets",
      "listHosts",
      "listProviders",
      "listApiKeys",
    ] as const) {
      const page = async (query: Record<string, string>) => {
        const answer = await sendTo(operations[id], { query }, { key });
        return readList(await readAnswer(operations[id], answer));
      };
      const whole = await page({});
      expect(whole.total).toBe(whole.ids.length);
      expect(whole.total).toBeGreaterThanOrEqual(3);
      const pages = [];
      for (let start = 0; start < whole.total; start++) {
        const { ids, total } = await page({ start: String(start), limit: "1" });
        expect(total).toBe(whole.total);
        pages.push(...ids);
      }
      expect(pages, id).toEqual(whole.ids);
      expect(await page({ start: String(whole.total) })).toEqual({ ids: [], total: whole.total });
    }
  });

  it("CON-17 the search pages by its body", async () => {
    const search = async (body: object) => {
      const answer = await sendTo(operations.searchMarket, { body }, { key: world.key });
      return readList(await readAnswer(operations.searchMarket, answer));
    };
    const whole = await search({});
    expect(whole.total).toBeGreaterThanOrEqual(3);
    const pages = [];
    for (let start = 0; start < whole.total; start++) pages.push(...(await search({ start, limit: 1 })).ids);
    expect(pages).toEqual(whole.ids);
  });
});

function readList(body: Record<string, unknown>): { ids: string[]; total: number } {
  const ids = Array.isArray(body.data) ? body.data.map(({ id }: { id: string }) => id) : [];
  return { ids, total: Number(body.total_items) };
}

async function spoilKey(data: { revokedAt?: Date; expiresAt?: Date }): Promise<string> {
  const { userId, key } = await makeAccount();
  await db().apiKey.updateMany({ where: { userId }, data });
  return key;
}
