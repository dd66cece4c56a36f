import { beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "@/lib/accounts/create-api-key";
import { operations } from "@/lib/contract/operations";
import { scopes } from "@/lib/contract/words";
import { db } from "@/lib/db/client";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { ownPage, signIn } from "../support/sign-in";

useTestDatabase();

let key: string;
let userId: string;
beforeEach(async () => {
  ({ key, userId } = await makeAccount());
});

/** Every scope that a renter can use. */
const everyScope = scopes.filter((scope) => !scope.startsWith("operator:"));
const DAY_MS = 86_400_000;

const works = async (apiKey: string | null) =>
  (await callApi(operations.ping, { key: apiKey ?? "" })).status === 200;

async function create(body: object, as = key) {
  const answer = await callApi(operations.createApiKey, { key: as, body });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

function roll(keyId: string, body?: object, as = key) {
  return callApi(operations.rollApiKey, { key: as, params: { key_id: keyId }, ...(body && { body }) });
}

describe("API keys over the API", () => {
  it("KEY-06 are made with name, scopes and expiry, let in, and are listed without the key", async () => {
    const body = { name: " ci ", scopes: ["market:read", "keys:read", "market:read"], expires_in_days: 30 };
    const made = await create(body);
    expect(made).toMatchObject({ name: "ci", scopes: ["market:read", "keys:read"], revoked_at: null });
    expect(made.api_key).toMatch(new RegExp(`^ak-${made.id}_`));
    expect(Date.parse(made.expires_at ?? "") - Date.parse(made.created_at)).toBe(30 * DAY_MS);
    const { body: list } = await callApi(operations.listApiKeys, { key: made.api_key ?? "" });
    const { api_key: _, ...record } = made;
    expect(list.total_items).toBe(2);
    expect(list.data[0]).toEqual({ ...record, last_used_at: list.data[0]?.last_used_at });
    expect(JSON.stringify(list)).not.toContain(made.api_key?.split("_")[1]);
  });

  it("KEY-07 have all scopes of their maker where none are named, and never expire where no term is", async () => {
    expect(await create({ name: "all" })).toMatchObject({ scopes: everyScope, expires_at: null });
    const few = await create({ name: "few", scopes: ["keys:write", "market:read"] });
    const heir = await create({ name: "heir", scopes: null, expires_in_days: null }, few.api_key ?? "");
    expect(heir.scopes).toEqual(["market:read", "keys:write"]);
  });

  it("KEY-08 make and roll no key that may do more than they may", async () => {
    const whole = await create({ name: "whole" });
    const few = await create({ name: "few", scopes: ["keys:write", "keys:read"] });
    const as = few.api_key ?? "";
    const before = await db().apiKey.findMany({ where: { userId }, omit: { lastUsedAt: true } });
    const wish = { name: "more", scopes: ["keys:read", "billing:write"] };
    for (const answer of [
      await callApi(operations.createApiKey, { key: as, body: wish }),
      await roll(whole.id, {}, as),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([403, "scope_missing"]);
      expect(answer.error.detail).toContain("billing:write");
    }
    expect(await db().apiKey.findMany({ where: { userId }, omit: { lastUsedAt: true } })).toEqual(before);
    expect((await roll(few.id, {}, as)).status).toBe(200);
  });

  it("KEY-09 are made by a signed-in browser with every scope", async () => {
    const headers = ownPage(await signIn());
    const answer = await callApi(operations.createApiKey, { headers, body: { name: "mine" } });
    expect(answer.status).toBe(200);
    expect(answer.body.data.scopes).toEqual(everyScope);
    const rolled = await callApi(operations.rollApiKey, { headers, params: { key_id: answer.body.data.id } });
    expect(await works(rolled.body.data.api_key)).toBe(true);
  });

  it("KEY-10 rolled: a new key of the same name, scopes and expiry, and the old one ends at once", async () => {
    const old = await create({ name: "ci", scopes: ["market:read"], expires_in_days: 30 });
    const { status, body } = await roll(old.id);
    expect(status).toBe(200);
    const { id, api_key, ...same } = body.data;
    expect(same).toMatchObject({ name: "ci", scopes: ["market:read"], expires_at: old.expires_at });
    expect(id).not.toBe(old.id);
    expect([await works(api_key), await works(old.api_key)]).toEqual([true, false]);
    const again = await roll(old.id);
    expect([again.status, again.error.code]).toEqual([409, "invalid_state"]);
  });

  it("KEY-11 rolled with a grace: the old one goes on as long, and never beyond its own end", async () => {
    const old = await create({ name: "ci", expires_in_days: 2 });
    const expiryOf = async () => (await db().apiKey.findUniqueOrThrow({ where: { id: old.id } })).expiresAt;
    const { body } = await roll(old.id, { grace_hours: 24 });
    expect(body.data.expires_at).toBe(old.expires_at);
    expect([await works(body.data.api_key), await works(old.api_key)]).toEqual([true, true]);
    const endsIn = Number(await expiryOf()) - Date.parse(body.data.created_at);
    expect(Math.abs(endsIn - DAY_MS)).toBeLessThan(60_000);
    const before = await expiryOf();
    await roll(old.id, { grace_hours: 168 });
    expect(await expiryOf()).toEqual(before);
    await db().$executeRaw`UPDATE api_key SET expires_at = now() WHERE id = ${old.id}`;
    expect(await works(old.api_key)).toBe(false);
    expect((await roll(old.id)).error.code).toBe("invalid_state");
  });

  it("KEY-12 rolled by ten at once without a grace: one new key", async () => {
    const old = await create({ name: "ci" });
    const answers = await Promise.all(Array.from({ length: 10 }, () => roll(old.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, error } of answers) if (status !== 200) expect(error.code).toBe("invalid_state");
    expect(await db().apiKey.count({ where: { userId, name: "ci", revokedAt: null } })).toBe(1);
  });

  it("KEY-13 revoked: at once, once, also by themselves; the list still shows them", async () => {
    const made = await create({ name: "ci" });
    const params = { key_id: made.id };
    const revoke = (as: string) => callApi(operations.revokeApiKey, { key: as, params });
    expect((await revoke(made.api_key ?? "")).status).toBe(200);
    expect((await revoke(made.api_key ?? "")).status).toBe(401);
    const [first] = (await callApi(operations.listApiKeys, { key })).body.data;
    expect(first).toMatchObject({ id: made.id, revoked_at: expect.any(String) });
    expect((await revoke(key)).status).toBe(200);
    expect((await callApi(operations.listApiKeys, { key })).body.data[0]).toEqual(first);
  });

  it("KEY-14 of another account are missing ones, and stay as they are", async () => {
    const other = await makeAccount();
    const theirs = await createApiKey({ userId: other.userId, name: "theirs" });
    expect((await roll(theirs.id)).status).toBe(404);
    const params = { key_id: theirs.id };
    expect((await callApi(operations.revokeApiKey, { key, params })).status).toBe(404);
    expect(await works(theirs.apiKey)).toBe(true);
  });

  it.each([
    ["name", { name: "" }],
    ["name", { name: "x".repeat(101) }],
    ["name", { name: "two\nlines" }],
    ["name", { name: "   " }],
    ["name", {}],
    ["scopes", { name: "x", scopes: [] }],
    ["scopes", { name: "x", scopes: "market:read" }],
    ["expires_in_days", { name: "x", expires_in_days: 0 }],
    ["expires_in_days", { name: "x", expires_in_days: 3651 }],
    ["expires_in_days", { name: "x", expires_in_days: 1.5 }],
  ])("KEY-15 refuses at its field: %s of %j", async (field, body) => {
    const answer = await callApi(operations.createApiKey, { key, body });
    expect(answer.status).toBe(422);
    expect(answer.error.detail).toMatchObject([{ loc: ["body", field] }]);
  });

  it.each([-1, 169, 0.5, "1"])("KEY-15 refuses at its field: the grace %j", async (grace) => {
    const made = await create({ name: "ci" });
    const answer = await roll(made.id, { grace_hours: grace });
    expect(answer.error.detail).toMatchObject([{ loc: ["body", "grace_hours"] }]);
    const unknown = await callApi(operations.createApiKey, { key, body: { name: "x", scopes: ["root"] } });
    expect(unknown.error.detail).toMatchObject([{ loc: ["body", "scopes", 0] }]);
  });

  it("KEY-16 are shown once: a repeat by Idempotency-Key makes no second one and has null", async () => {
    const headers = { "idempotency-key": "k" };
    const make = () => callApi(operations.createApiKey, { key, headers, body: { name: "once" } });
    const [first, again] = [await make(), await make()];
    expect(first.body.data.api_key).toMatch(/^ak-/);
    expect(again.body.data).toEqual({ ...first.body.data, api_key: null });
    expect(await db().apiKey.count({ where: { userId, name: "once" } })).toBe(1);
    const secret = first.body.data.api_key?.split("_")[1] ?? "";
    const stored = await db().idempotentRequest.findMany({ where: { userId } });
    expect(JSON.stringify(stored)).not.toContain(secret);
    const params = { key_id: first.body.data.id };
    const rollOnce = () => callApi(operations.rollApiKey, { key, headers, params });
    const rolled = await rollOnce();
    expect((await rollOnce()).body.data).toEqual({ ...rolled.body.data, api_key: null });
  });
});
