import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "@/lib/accounts/create-api-key";
import { setRate } from "@/lib/billing/exchange-rates";
import { verifyLedgerInTime } from "@/lib/billing/verify-ledger-in-time";
import { operations } from "@/lib/contract/operations";
import { scopes } from "@/lib/contract/words";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { callApi, checkAnswer, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { allOperations, MISSING, missingParams, sendTo } from "../support/send";
import { happyInput, makeWorld, type World } from "../support/world";

useTestDatabase();

const ROLES = ["renter", "operator"];
const ofOperators = allOperations.filter(([, { role }]) => role === "operator");

let world: World;
let key: string;
beforeAll(async () => {
  world = await makeWorld();
  key = (await makeAccount({ roles: ROLES })).key;
});

describe("what only operators may do", () => {
  it("OPER-01 is all of /v0/operator and nothing else, under its own scopes", () => {
    const paths = allOperations.filter(([, { path }]) => path.startsWith("/v0/operator/"));
    expect(ofOperators.map(([id]) => id)).toEqual(paths.map(([id]) => id));
    for (const [id, { scope, tag }] of allOperations) {
      const isOperators = ofOperators.some(([name]) => name === id);
      expect([scope?.startsWith("operator:") ?? false, tag === "Operator"], id).toEqual([
        isOperators,
        isOperators,
      ]);
    }
  });

  it.each(ofOperators)(
    "OPER-01 %s is closed to renters and hosts whatever their key",
    async (id, operation) => {
      const { key: own } = await makeAccount({ roles: ["renter", "host"], scopes: [...scopes] });
      const answer = await sendTo(operation, happyInput(world)[id], { key: own });
      expect(answer.status).toBe(403);
      const body = await answer.json();
      checkAnswer(operation, 403, body);
      expect(body).toMatchObject({ code: "operator_only" });
    },
  );

  it.each(ofOperators)("OPER-02 %s needs the scope, which an older key lacks", async (id, operation) => {
    const older = scopes.filter((scope) => !scope.startsWith("operator:"));
    const { key: own } = await makeAccount({ roles: ROLES, scopes: older });
    const answer = await sendTo(operation, happyInput(world)[id], { key: own });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "scope_missing" });
  });

  const byId = ofOperators.filter(([, { path }]) => path.includes("{"));

  it.each(byId)(
    "OPER-03 %s answers an id of any shape that names nothing as missing",
    async (id, operation) => {
      const names = Object.keys(missingParams(operation));
      const bodies = new Set<string>();
      for (const shape of [MISSING, "../etc", "%", "' OR 1=1 --", "x".repeat(3000), "\u0000", "__proto__"]) {
        const params = Object.fromEntries(names.map((name) => [name, shape]));
        const headers = { "x-request-id": "same" };
        const answer = await sendTo(operation, { ...happyInput(world)[id], params }, { key, headers });
        expect(answer.status, shape).toBe(404);
        bodies.add(await answer.text());
      }
      expect(bodies.size).toBe(1);
    },
  );

  it("OPER-02 a key of every scope has the operator's only where its account is one", async () => {
    const [renter, operator] = [await makeAccount(), await makeAccount({ roles: ROLES })];
    for (const [account, held] of [
      [renter, 0],
      [operator, 2],
    ] as const) {
      const { scopes: given } = await createApiKey({ userId: account.userId, name: "all" });
      expect(given.filter((scope) => scope.startsWith("operator:"))).toHaveLength(held);
      expect(given).toHaveLength(scopes.length - 2 + held);
    }
  });
});

describe("accounts", () => {
  it("OPER-04 lists all of them with balance and counts, found by a part of id, name or e-mail address", async () => {
    const person = await db().user.findUniqueOrThrow({ where: { id: world.userId } });
    for (const search of [person.id.slice(3, 18), person.email.toUpperCase().slice(0, 20)]) {
      const { body } = await callApi(operations.listOperatorAccounts, { key, query: { search } });
      expect(body).toMatchObject({
        total_items: 1,
        data: [
          { id: person.id, email: person.email, instances_count: 1, hosts_count: 1, suspended_at: null },
        ],
      });
      expect(body.data[0]?.balance).toBeGreaterThan(900);
    }
    for (const search of ["%", "_%", "nobody has this"]) {
      const { body } = await callApi(operations.listOperatorAccounts, { key, query: { search } });
      expect(body).toEqual({ ok: true, data: [], total_items: 0 });
    }
    const all = await callApi(operations.listOperatorAccounts, { key });
    const second = await callApi(operations.listOperatorAccounts, { key, query: { start: 1, limit: 1 } });
    expect(second.body).toEqual({ ...all.body, data: [all.body.data[1]] });
  });

  it("OPER-05 makes one with a link that is shown once, and no second one for its e-mail address", async () => {
    const email = `${newId("user")}@Example.com`;
    const request = { email, name: " Ada ", roles: ["host"] };
    const headers = { "idempotency-key": newId("req") };
    const made = await callApi(operations.createOperatorAccount, { key, body: request, headers });
    expect(made.body.data).toMatchObject({
      email: email.toLowerCase(),
      name: "Ada",
      roles: ["renter", "host"],
      balance: 0,
      sign_in_link: expect.stringMatching(/^http.*\/auth\/magic-link\/verify\?token=./),
    });
    const again = await callApi(operations.createOperatorAccount, { key, body: request, headers });
    expect(again.body.data).toEqual({ ...made.body.data, sign_in_link: null });
    const taken = await callApi(operations.createOperatorAccount, { key, body: request });
    expect([taken.status, taken.error.code]).toEqual([409, "in_use"]);
    for (const [field, value] of [
      ["email", "nobody"],
      ["name", "\n"],
    ] as const) {
      const body = { email: "x@example.com", name: "X", [field]: value };
      const refused = await callApi(operations.createOperatorAccount, { key, body });
      expect(refused.status).toBe(422);
      expect(refused.error.detail).toMatchObject([{ loc: ["body", field] }]);
    }
  });

  it("OPER-06 credits and debits once a reference, never below zero", async () => {
    const { userId } = await makeAccount({ balanceUsd: 0 });
    const send = (body: object) =>
      callApi(operations.creditAccount, { key, params: { account_id: userId }, body });
    const credit = { kind: "credit", amount: 25.5, reference: "invoice-7" };
    for (let i = 0; i < 2; i++) expect((await send(credit)).body.data).toEqual({ balance: 25.5 });
    const debit = await send({ kind: "debit", amount: 0.5, reference: "mistake" });
    expect(debit.body.data).toEqual({ balance: 25 });
    for (const [field, body] of [
      ["reference", { ...credit, amount: 26 }],
      ["amount", { kind: "debit", amount: 25.01, reference: "too-much" }],
      ["amount", { ...credit, amount: 0 }],
      ["amount", { ...credit, amount: 0.0000001 }],
      ["kind", { ...credit, kind: "gift" }],
      ["reference", { ...credit, reference: "a\nb" }],
    ] as const) {
      const refused = await send(body);
      expect(refused.status, JSON.stringify(body)).toBe(422);
      expect(refused.error.detail).toMatchObject([{ loc: ["body", field] }]);
    }
  });

  it("OPER-07 suspends and restores, as often as asked, but nobody themselves", async () => {
    const [person, operator] = [await makeAccount(), await makeAccount({ roles: ROLES })];
    const params = { account_id: person.userId };
    for (const [operation, status] of [
      [operations.suspendAccount, 403],
      [operations.suspendAccount, 403],
      [operations.restoreAccount, 200],
      [operations.restoreAccount, 200],
    ] as const) {
      expect((await callApi(operation, { key: operator.key, params })).status).toBe(200);
      expect((await callApi(operations.ping, { key: person.key })).status).toBe(status);
    }
    const own = { account_id: operator.userId };
    const refused = await callApi(operations.suspendAccount, { key: operator.key, params: own });
    expect([refused.status, refused.error.code]).toEqual([409, "invalid_state"]);
  });

  it.each(["createSignInLink", "createResetLink"] as const)(
    "OPER-08 %s answers a link with its end, and a repeat has none",
    async (id) => {
      const { userId } = await makeAccount();
      const call = { key, params: { account_id: userId }, headers: { "idempotency-key": newId("req") } };
      const { body } = await callApi(operations[id], call);
      expect(new URL(body.data.url ?? "").searchParams.get("token")).toBeTruthy();
      const hours = (Date.parse(body.data.expires_at) - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(23);
      expect(hours).toBeLessThanOrEqual(24);
      expect((await callApi(operations[id], call)).body.data).toEqual({ ...body.data, url: null });
      const kept = await db().idempotentRequest.findFirst({ where: { operation: id } });
      expect(kept?.body).not.toContain("token");
    },
  );
});

describe("money", () => {
  it("OPER-09 sets a rate from now on, and lists every one with which is in force", async () => {
    const before = await setRate("RUB", "79");
    const body = { currency: "RUB", units_per_usd: "78.50" };
    const set = await callApi(operations.setRate, { key, body });
    expect(set.body.data).toMatchObject({ currency: "RUB", units_per_usd: "78.5", in_force: true });
    const { body: list } = await callApi(operations.listRates, { key });
    const ours = list.data.filter(({ currency }) => currency === "RUB");
    expect(ours.slice(0, 2)).toEqual([
      set.body.data,
      {
        currency: "RUB",
        units_per_usd: "79",
        effective_at: before.effectiveAt.toISOString(),
        in_force: false,
      },
    ]);
    expect(list.data.filter((rate) => rate.in_force && rate.currency === "RUB")).toHaveLength(1);
    const { body: page } = await callApi(operations.listRates, { key, query: { start: 1, limit: 1 } });
    expect(page).toEqual({ ...list, data: [list.data[1]] });
  });

  it("OPER-09 refuses what is no rate", async () => {
    for (const [field, body] of [
      ["currency", { currency: "USD", units_per_usd: "2" }],
      ["units_per_usd", { currency: "RUB", units_per_usd: "0" }],
      ["units_per_usd", { currency: "RUB", units_per_usd: "1e3" }],
      ["units_per_usd", { currency: "RUB", units_per_usd: "-1" }],
    ] as const) {
      const refused = await callApi(operations.setRate, { key, body });
      expect(refused.status).toBe(422);
      expect(refused.error.detail).toMatchObject([{ loc: ["body", field] }]);
    }
  });

  it("OPER-10 proves the ledger with its sums, and names what breaks it", async () => {
    const { body } = await callApi(operations.verifyLedger, { key });
    expect(body.data).toMatchObject({ ok: true, findings: [] });
    const { renter, escrow, host, fee, credit, payout } = body.data.sums;
    expect(renter).toBeGreaterThan(0);
    expect(renter + escrow + host + fee + credit + payout).toBeCloseTo(0, 6);
    const { userId } = await makeAccount();
    await db().$executeRaw`UPDATE balance SET burn_micro = 5 WHERE user_id = ${userId}`;
    const broken = await callApi(operations.verifyLedger, { key });
    expect(broken.body.data.ok).toBe(false);
    expect(broken.body.data.findings).toMatchObject([
      { rule: "burn_is_the_sum_of_its_instances", subject: userId },
    ]);
  });

  it("OPER-10 gives up with a sentence when its time is over", async () => {
    await expect(verifyLedgerInTime(1)).rejects.toMatchObject({ code: "unavailable" });
  });
});
