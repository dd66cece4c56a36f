import { beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "@/lib/accounts/create-account";
import { createApiKey } from "@/lib/accounts/create-api-key";
import { getAccountId } from "@/lib/accounts/get-account-id";
import { makeResetLink, makeSignInLink } from "@/lib/accounts/make-sign-in-link";
import { suspendAccount } from "@/lib/accounts/suspend-account";
import { authenticateAgent, makeAgentToken } from "@/lib/agents/authenticate-agent";
import { createHostToken } from "@/lib/agents/create-host-token";
import { creditAccount } from "@/lib/billing/credit-account";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { operations } from "@/lib/contract/operations";
import { scopes } from "@/lib/contract/words";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { callApi, makeAccount, makeOffer, makeTemplate, setBalance } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { callAuth, followLink, makeSignedIn, ownPage, PASSWORD, signInAs } from "../support/sign-in";
import { makeGpu, makeHost, makePublicKey, rent } from "../support/world";

useTestDatabase();

let userId: string;
let email: string;
let headers: Record<string, string>;
beforeEach(async () => {
  const signedIn = await makeSignedIn();
  ({ userId, email } = signedIn);
  headers = ownPage(signedIn.cookie);
});

const PLANTED = "zzPLANTEDzz";

function remove(body: object = { confirm: email, password: PASSWORD }) {
  return callApi(operations.deleteAccount, { headers, body });
}

const isDeleted = async () =>
  (await db().user.findUniqueOrThrow({ where: { id: userId } })).email.endsWith("@deleted.invalid");

async function refusal(): Promise<string> {
  const answer = await remove();
  expect([answer.status, answer.error.code]).toEqual([409, "in_use"]);
  expect(await isDeleted()).toBe(false);
  return String(answer.error.detail);
}

describe("one's own account", () => {
  it("ACCT-01 tells who one is, and what the caller may do", async () => {
    const mine = await callApi(operations.getAccount, { headers });
    const created = (await db().user.findUniqueOrThrow({ where: { id: userId } })).createdAt.toISOString();
    const same = { id: userId, name: email.split("@")[0], email, roles: ["renter"], created_at: created };
    expect(mine.body.data).toEqual({ ...same, scopes, has_password: true });
    const { apiKey } = await createApiKey({ userId, name: "ci", scopes: ["market:read"] });
    const byKey = await callApi(operations.getAccount, { key: apiKey });
    expect(byKey.body.data).toEqual({ ...same, scopes: ["market:read"], has_password: true });
    const { key } = await makeAccount({ roles: ["renter", "operator"] });
    const other = await callApi(operations.getAccount, { key });
    expect(other.body.data).toMatchObject({ roles: ["renter", "operator"], has_password: false });
  });

  it("ACCT-02 takes another name, trimmed, from the person in a browser alone", async () => {
    const rename = (name: unknown) => callApi(operations.updateAccount, { headers, body: { name } });
    expect((await rename("  Ада Лавлейс ")).body.data.name).toBe("Ада Лавлейс");
    for (const bad of ["", "   ", "a\nb", "x".repeat(101), 7, null]) {
      const answer = await rename(bad);
      expect(answer.error.detail, String(bad)).toMatchObject([{ loc: ["body", "name"] }]);
    }
    const { apiKey } = await createApiKey({ userId, name: "ci" });
    const byKey = await callApi(operations.updateAccount, { key: apiKey, body: { name: "Eve" } });
    expect([byKey.status, byKey.error.code]).toEqual([403, "session_required"]);
    const origin = "http://evil.example";
    const foreign = { headers: { ...headers, origin }, body: { name: "Eve" } };
    expect((await callApi(operations.updateAccount, foreign)).error.code).toBe("forbidden_origin");
    expect((await callApi(operations.getAccount, { headers })).body.data.name).toBe("Ада Лавлейс");
  });
});

describe("deleting one's account", () => {
  it("ACCT-03 needs the e-mail address typed, and the password where there is one", async () => {
    for (const [field, body] of [
      ["confirm", { password: PASSWORD }],
      ["confirm", { confirm: "yes", password: PASSWORD }],
      ["password", { confirm: email }],
      ["password", { confirm: email, password: "not it at all" }],
    ] as const) {
      const answer = await remove(body);
      expect(answer.status).toBe(422);
      expect(answer.error.detail).toMatchObject([{ loc: ["body", field] }]);
    }
    const { apiKey } = await createApiKey({ userId, name: "ci" });
    const body = { confirm: email, password: PASSWORD };
    const byKey = await callApi(operations.deleteAccount, { key: apiKey, body });
    expect([byKey.status, byKey.error.code]).toEqual([403, "session_required"]);
    expect(await isDeleted()).toBe(false);
    expect((await remove({ ...body, confirm: ` ${email.toUpperCase()}` })).status).toBe(200);
    expect(await isDeleted()).toBe(true);
  });

  it("ACCT-04 needs no password of one who signs in by links", async () => {
    const guest = await createAccount({ email: `${newId("user").toLowerCase()}@example.com` });
    const cookie = await followLink((await makeSignInLink(guest.userId, "http://localhost:3000")).url);
    const answer = await callApi(operations.deleteAccount, {
      headers: ownPage(cookie),
      body: { confirm: guest.email },
    });
    expect(answer.status).toBe(200);
  });

  it("ACCT-05 is refused while an instance lives or money is paid ahead, and says so", async () => {
    await creditAccount({ userId, amountMicro: 12_000_000n, reference: "invoice" });
    const { offerId } = await makeOffer();
    const { templateId } = await makeTemplate(userId);
    const body = { offer_id: offerId, template_id: templateId, reserve_period: "day" };
    const rented = await callApi(operations.createInstance, { headers, body });
    expect(rented.status).toBe(200);
    await setBalance(userId, 0n);
    const detail = await refusal();
    expect(detail).toContain("Instances that are not destroyed: 1.");
    expect(detail).toMatch(/Paid ahead and not used: \d+(\.\d+)? USD\./);
    const params = { instance_id: rented.body.data[0]?.id ?? "" };
    await callApi(operations.deleteInstance, { headers, params });
    expect(await refusal()).toMatch(/^The account cannot be deleted yet\. The balance is \d+(\.\d+)? USD/);
    await setBalance(userId, 0n);
    expect((await remove()).status).toBe(200);
  });

  it.each([1n, -1n])("ACCT-06 is refused while the balance is not exactly zero: %s", async (micro) => {
    await db().ledgerMovement.create({
      data: {
        cause: newId("req"),
        kind: micro > 0n ? "credit" : "debit",
        userId,
        renterMicro: micro,
        creditMicro: -micro,
      },
    });
    expect(await refusal()).toContain(`The balance is ${micro > 0n ? "" : "-"}0.000001 USD`);
  });

  it("ACCT-07 is refused while a host is rented, something is not settled or earnings are left, and changes nothing", async () => {
    await makeGpu();
    const { hostId, offerId } = await makeHost(userId);
    const renter = await makeAccount();
    const { templateId } = await makeTemplate(renter.userId);
    const instanceId = await rent(renter.key, { offer_id: offerId, template_id: templateId });
    await db().$executeRaw`
      INSERT INTO meter_interval (instance_id, kind, rate_micro, started_at, settled_until)
      VALUES (${instanceId}, 'running', 1, now(), now())`;
    const earned = { userId: renter.userId, payeeId: userId, hostId, instanceId };
    const moved = { renterMicro: -3_000_000n, hostMicro: 2_500_000n, feeMicro: 500_000n };
    await db().ledgerMovement.create({ data: { cause: newId("req"), kind: "usage", ...earned, ...moved } });
    await createHostToken(userId);
    const detail = await refusal();
    expect(detail).toContain("Hosts that are rented: 1.");
    expect(detail).toContain("Earned and not paid out: 2.5 USD.");
    expect(detail).toContain("not settled yet");
    expect(await db().host.findUniqueOrThrow({ where: { id: hostId } })).toMatchObject({ deletedAt: null });
    expect(await db().hostToken.count({ where: { userId } })).toBe(1);
  });

  it("ACCT-08 leaves a pseudonym, the ledger, and nothing that the person wrote", async () => {
    await makeGpu();
    await callApi(operations.updateAccount, { headers, body: { name: PLANTED } });
    await creditAccount({ userId, amountMicro: 5_000_000n, reference: "invoice 1" });
    const { templateId } = await makeTemplate(userId, {
      env: `TOKEN=${PLANTED}`,
      dockerUsername: PLANTED,
      readme: "What others rented keeps what they saw of it.",
      isPrivate: false,
      publishedAt: new Date(),
    });
    await callApi(operations.createSecret, { headers, body: { value: makePublicKey(), name: PLANTED } });
    const { apiKey } = await createApiKey({ userId, name: PLANTED });
    const mine = await rent(apiKey, { offer_id: (await makeOffer()).offerId, template_id: templateId });
    await db().instance.update({ where: { id: mine }, data: { name: PLANTED } });
    await db().instanceLog.create({ data: { instanceId: mine, atNs: 1n, stream: "stdout", text: PLANTED } });
    await callApi(operations.deleteInstance, { key: apiKey, params: { instance_id: mine } });
    const stranger = await makeAccount();
    const strangers = await rent(stranger.key, {
      offer_id: (await makeOffer()).offerId,
      template_id: templateId,
    });
    const { hostId, offerId } = await makeHost(userId);
    await db().provider.update({
      where: { ownerId: userId },
      data: { name: PLANTED, description: PLANTED, url: `https://${PLANTED}.example` },
    });
    const agentId = newId("agent");
    const { token, secretHash } = makeAgentToken(agentId);
    const place = { address: PLANTED, port: 7443, firstPort: 10_000, lastPort: 10_100 };
    const machine = { fingerprint: "SHA256:x", engine: "Podman", secretHash: new Uint8Array(secretHash) };
    await db().agent.create({ data: { id: agentId, userId, ...place, ...machine } });
    await createHostToken(userId);
    await makeSignInLink(userId, "http://localhost:3000");
    await makeResetLink(userId, "http://localhost:3000");
    await setBalance(userId, 0n);
    const movements = () => db().ledgerMovement.findMany({ where: { userId }, orderBy: { id: "asc" } });
    const before = await movements();
    // Another test's rows break its rules on purpose; this one adds nothing to them.
    const { findings } = await verifyLedger();

    expect((await remove()).status).toBe(200);

    expect(await movements()).toEqual(before);
    expect(before.length).toBeGreaterThan(1);
    expect((await verifyLedger()).findings).toEqual(findings);
    expect(await db().user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({
      name: "Deleted account",
      email: `deleted-${userId.toLowerCase()}@deleted.invalid`,
      roles: [],
    });
    expect(await findTraces(email, PLANTED)).toEqual([]);
    expect(await db().offer.findUniqueOrThrow({ where: { id: offerId } })).toMatchObject({
      listed: false,
      rentable: false,
    });
    expect((await db().host.findUniqueOrThrow({ where: { id: hostId } })).deletedAt).not.toBeNull();
    expect(await authenticateAgent(token)).toBeNull();
    const seen = await callApi(operations.listInstances, { key: stranger.key });
    expect(seen.body.data).toMatchObject([{ id: strangers, status: "pending" }]);
  });

  it("ACCT-09 lets it neither sign in nor call, and its address is free for a new account", async () => {
    const { apiKey } = await createApiKey({ userId, name: "ci" });
    const link = (await makeSignInLink(userId, "http://localhost:3000")).url;
    const reset = (await makeResetLink(userId, "http://localhost:3000")).url;
    const token = new URL(reset).searchParams.get("token");
    expect((await remove()).status).toBe(200);
    expect((await callApi(operations.ping, { headers })).status).toBe(401);
    expect((await callApi(operations.ping, { key: apiKey })).status).toBe(401);
    expect(await signInAs(email, PASSWORD)).toBe("");
    expect(await followLink(link)).toBe("");
    expect((await callAuth("/reset-password", { token, newPassword: "another good one" })).status).toBe(400);
    await expect(suspendAccount(userId, false)).rejects.toMatchObject({ code: "not_found" });
    await expect(getAccountId(email)).rejects.toMatchObject({ code: "not_found" });
    await createAccount({ email, password: PASSWORD });
    expect(await signInAs(email, PASSWORD)).not.toBe("");
    expect(await getAccountId(email)).not.toBe(userId);
  });

  it("ACCT-10 what is still made while it goes is no way in", async () => {
    const make = () => callApi(operations.createApiKey, { headers, body: { name: "late" } });
    const signIns = Array.from({ length: 3 }, () => signInAs(email, PASSWORD));
    const [answer, cookies, keys] = await Promise.all([
      remove(),
      Promise.all(signIns),
      Promise.all(Array.from({ length: 10 }, make)),
    ]);
    expect(answer.status).toBe(200);
    for (const { body } of keys.filter(({ status }) => status === 200)) {
      const late = await callApi(operations.ping, { key: body.data.api_key ?? "" });
      expect([401, 403]).toContain(late.status);
    }
    for (const cookie of cookies) {
      expect([401, 403]).toContain((await callApi(operations.ping, { headers: { cookie } })).status);
    }
  });

  it("ACCT-11 of a rent of its host and its end at once exactly one wins, ten times", async () => {
    await makeGpu();
    const renter = await makeAccount();
    const { templateId } = await makeTemplate(renter.userId);
    for (let round = 0; round < 10; round++) {
      const owner = await makeSignedIn();
      const { offerId } = await makeHost(owner.userId);
      const body = { offer_id: offerId, template_id: templateId };
      const [rented, removed] = await Promise.all([
        callApi(operations.createInstance, { key: renter.key, body }),
        callApi(operations.deleteAccount, {
          headers: ownPage(owner.cookie),
          body: { confirm: owner.email, password: PASSWORD },
        }),
      ]);
      expect([rented.status, removed.status].sort()).toEqual(
        rented.status === 200 ? [200, 409] : [200, rented.status],
      );
      expect([200, 404, 409]).toContain(rented.status);
    }
  });

  it("ACCT-12 of ten tries at once one deletes it, and none fails otherwise", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove()));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    for (const { status } of answers) expect([200, 401, 403, 422]).toContain(status);
    expect(await isDeleted()).toBe(true);
  });
});

/** Where any of the words stands in the database: tables. */
async function findTraces(...words: string[]): Promise<string[]> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
  const found = [];
  for (const { name } of tables) {
    const rows = await db().$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM "${name}" t`);
    if (rows.some(({ text }) => words.some((word) => text.includes(word)))) found.push(name);
  }
  return found;
}
