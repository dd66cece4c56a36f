import { afterEach, describe, expect, test } from "vitest";
import { auth } from "@/lib/accounts/auth";
import { authenticateKey, authenticateSession } from "@/lib/accounts/caller";
import { createAccount } from "@/lib/accounts/create-account";
import { createApiKey } from "@/lib/accounts/create-api-key";
import { getAccountId } from "@/lib/accounts/get-account-id";
import { listApiKeys } from "@/lib/accounts/list-api-keys";
import { makeResetLink, makeSignInLink } from "@/lib/accounts/make-sign-in-link";
import { revokeApiKey } from "@/lib/accounts/revoke-api-key";
import { suspendAccount } from "@/lib/accounts/suspend-account";
import { creditAccount } from "@/lib/billing/credit-account";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { makeToken } from "@/lib/kernel/token";
import { callApi } from "../support/api";
import { useTestDatabase } from "../support/api-setup";

useTestDatabase();

const ORIGIN = "http://localhost:3000";
const PASSWORD = "correct horse battery";

let counter = 0;
const newEmail = () => `person-${++counter}@example.com`;

function callAuth(path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
  const sent = { host: "localhost:3000", origin: ORIGIN, ...headers };
  const json = body && { method: "POST", body: JSON.stringify(body) };
  return auth().handler(
    new Request(`${ORIGIN}/auth${path}`, {
      headers: { "content-type": "application/json", ...sent },
      ...json,
    }),
  );
}

/** The cookies that an answer sets, as a browser would send them back. */
function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

function follow(link: string): Promise<Response> {
  const url = new URL(link);
  return auth().handler(new Request(url, { headers: { host: url.host } }));
}

const balanceOf = async (userId: string) =>
  (await db().balance.findUniqueOrThrow({ where: { userId } })).availableMicro;

describe("an account", () => {
  test("ACC-01 is made with its balance and roles, its e-mail address in lower case", async () => {
    const { userId, email } = await createAccount({
      email: " Ada@Example.COM ",
      roles: ["operator"],
      balanceMicro: 5_000_000n,
    });
    expect(email).toBe("ada@example.com");
    expect(userId).toMatch(/^user_[0-9A-Za-z]{20}$/);
    const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
    expect(user.roles).toEqual(["renter", "operator"]);
    expect(await balanceOf(userId)).toBe(5_000_000n);
    expect(await getAccountId("ADA@example.com")).toBe(userId);
  });

  test("ACC-02 is refused for a taken e-mail address, also when ten ask at once, and leaves nothing", async () => {
    const email = newEmail();
    const tries = Array.from({ length: 10 }, () => createAccount({ email, password: PASSWORD }));
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of done)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "in_use" });
    expect(await db().user.count({ where: { email } })).toBe(1);
  });

  test.each([
    { email: "nobody" },
    { email: "a@b\u0000.example" },
    { email: newEmail(), password: "short" },
    { email: newEmail(), password: "x".repeat(129) },
  ])("ACC-03 is refused with a reason that does not repeat the input: case %#", async (wish) => {
    const error = await createAccount(wish).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ValidationError" });
    expect(JSON.stringify(error)).not.toContain(wish.password ?? wish.email);
  });
});

describe("a balance", () => {
  const reference = () => newId("req");

  test("ACC-04 takes what an operator adds or takes back, all of it under concurrency, never below zero", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const move = (amountMicro: bigint) => creditAccount({ userId, amountMicro, reference: reference() });
    await Promise.all(Array.from({ length: 20 }, () => move(1_000_000n)));
    expect(await balanceOf(userId)).toBe(20_000_000n);
    expect(await move(-19_000_000n)).toBe(1_000_000n);
    await expect(move(-1_000_001n)).rejects.toMatchObject({ name: "ValidationError" });
    expect(() => move(0n)).toThrow(expect.objectContaining({ name: "ValidationError" }));
    const unknown = { userId: newId("user"), amountMicro: 1n, reference: reference() };
    await expect(creditAccount(unknown)).rejects.toMatchObject({ code: "not_found" });
  });

  test("ACC-06 moves one amount a reference, however often and at once it is sent", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const credit = { userId, amountMicro: 5_000_000n, reference: "invoice 7" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => creditAccount(credit)));
    expect(new Set(answers)).toEqual(new Set([5_000_000n]));
    expect(await balanceOf(userId)).toBe(5_000_000n);
    await expect(creditAccount({ ...credit, amountMicro: 6_000_000n })).rejects.toMatchObject({
      issues: [{ loc: ["body", "reference"] }],
    });
    expect(() => creditAccount({ ...credit, reference: "two\nlines" })).toThrow();
  });
});

describe("a key", () => {
  test("KEY-01 is shown once, stored hashed, lets in with its scopes, and notes its use", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const made = await createApiKey({ userId, name: "ci", scopes: ["market:read", "market:read"] });
    const caller = await authenticateKey(made.apiKey);
    expect(caller).toMatchObject({ userId, suspended: false, scopes: new Set(["market:read"]) });
    await expect.poll(async () => (await listApiKeys(userId)).items[0]?.lastUsedAt).toBeInstanceOf(Date);
    const { items, total } = await listApiKeys(userId);
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({ id: made.id, name: "ci", scopes: ["market:read"], revokedAt: null });
    expect(JSON.stringify(items)).not.toContain(made.apiKey.split("_")[1]);
  });

  test("KEY-02 lets nobody in once it has expired, by the database's clock", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const { id: keyId, apiKey } = await createApiKey({ userId, name: "short", expiresInDays: 1 });
    await db().$executeRaw`
      UPDATE api_key SET expires_at = clock_timestamp() + interval '400 milliseconds' WHERE id = ${keyId}`;
    expect(await authenticateKey(apiKey)).not.toBeNull();
    await expect.poll(() => authenticateKey(apiKey)).toBeNull();
    expect((await callApi(operations.ping, { key: apiKey })).status).toBe(401);
  });

  test("KEY-17 is looked up anew all the time: what another node has revoked or suspended is seen here too", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const [first, second] = [
      await createApiKey({ userId, name: "one" }),
      await createApiKey({ userId, name: "two" }),
    ];
    const ping = (key: string) => callApi(operations.ping, { key }).then(({ status }) => status);
    expect([await ping(first.apiKey), await ping(second.apiKey)]).toEqual([200, 200]);
    await db().$executeRaw`UPDATE api_key SET revoked_at = now() WHERE id = ${first.id}`;
    await expect.poll(() => ping(first.apiKey)).toBe(401);
    await db().$executeRaw`UPDATE "user" SET suspended_at = now() WHERE id = ${userId}`;
    await expect.poll(() => ping(second.apiKey)).toBe(403);
  });

  test("KEY-03 lets nobody in once revoked; another's key cannot be revoked and looks like a missing one", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const { userId: other } = await createAccount({ email: newEmail() });
    const { id: keyId, apiKey } = await createApiKey({ userId, name: "laptop" });
    const foreign = await revokeApiKey(keyId, other).catch((error: Error) => error.message);
    const missing = await revokeApiKey("nothing", other).catch((error: Error) => error.message);
    expect(foreign).toBe(missing);
    expect((await callApi(operations.ping, { key: apiKey })).status).toBe(200);
    await revokeApiKey(keyId, userId);
    const [first] = (await listApiKeys(userId)).items;
    await revokeApiKey(keyId);
    expect((await listApiKeys(userId)).items[0]?.revokedAt).toEqual(first?.revokedAt);
    expect((await callApi(operations.ping, { key: apiKey })).status).toBe(401);
  });

  test("KEY-04 is refused for scopes, names and terms that mean nothing, and for a missing account", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const bad = [
      { name: "" },
      { name: "a\u0000b" },
      { name: "x", scopes: ["root"] },
      { name: "x", expiresInDays: 0 },
    ];
    for (const wish of bad) {
      await expect(createApiKey({ userId, ...wish })).rejects.toMatchObject({ name: "ValidationError" });
    }
    await expect(createApiKey({ userId: newId("user"), name: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await listApiKeys(userId)).total).toBe(0);
  });

  test("KEY-05 without its right secret lets nobody in", async () => {
    const { userId } = await createAccount({ email: newEmail() });
    const [one, two] = [await createApiKey({ userId, name: "1" }), await createApiKey({ userId, name: "2" })];
    await db().$executeRaw`
      UPDATE api_key SET secret_hash = (SELECT secret_hash FROM api_key WHERE id = ${two.id}) WHERE id = ${one.id}`;
    expect(await authenticateKey(one.apiKey)).toBeNull();
    expect(await authenticateKey(`${two.apiKey.slice(0, -1)}!`)).toBeNull();
    expect(await authenticateKey("")).toBeNull();
    expect(await authenticateKey(two.apiKey)).toMatchObject({ userId });
    expect(await authenticateKey(makeToken("ak", two.id).token)).toBeNull();
    expect(await authenticateKey(two.apiKey)).toMatchObject({ userId });
  });
});

describe("a suspended account", () => {
  test("ACC-05 is signed out and answered 403 until that is lifted; repeating changes nothing", async () => {
    const email = newEmail();
    const { userId } = await createAccount({ email, password: PASSWORD });
    const { apiKey } = await createApiKey({ userId, name: "laptop" });
    const cookie = cookiesOf(await callAuth("/sign-in/email", { email, password: PASSWORD }));
    await suspendAccount(userId, true);
    await suspendAccount(userId, true);
    expect(await authenticateSession(new Headers({ cookie }))).toBeNull();
    const refused = await callApi(operations.ping, { key: apiKey });
    expect([refused.status, refused.error.code]).toEqual([403, "account_suspended"]);
    await suspendAccount(userId, false);
    expect((await callApi(operations.ping, { key: apiKey })).status).toBe(200);
    await expect(suspendAccount(newId("user"), true)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("signing in", () => {
  afterEach(() => {
    delete process.env.PUBLIC_URL;
    delete process.env.SIGNUP;
  });

  test("AUTH-01 by e-mail and password gives a session by an httpOnly, SameSite=Lax cookie", async () => {
    const email = newEmail();
    const { userId } = await createAccount({ email, password: PASSWORD });
    const answer = await callAuth("/sign-in/email", { email: email.toUpperCase(), password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^berth\.session_token=.*HttpOnly.*SameSite=Lax/i);
    const cookie = cookiesOf(answer);
    expect(await authenticateSession(new Headers({ cookie }))).toMatchObject({ userId, suspended: false });
    const ping = (headers: Record<string, string>) => callApi(operations.ping, { headers });
    expect((await ping({ cookie })).status).toBe(200);
    expect((await ping({ cookie, "sec-fetch-site": "cross-site" })).status).toBe(403);
    await callAuth("/sign-out", {}, { cookie });
    expect((await ping({ cookie })).status).toBe(401);
  });

  test("AUTH-02 with a wrong password or an unknown address is refused by the same answer", async () => {
    const email = newEmail();
    await createAccount({ email, password: PASSWORD });
    const wrong = await callAuth("/sign-in/email", { email, password: "not it at all" });
    const unknown = await callAuth("/sign-in/email", { email: newEmail(), password: PASSWORD });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(await wrong.text()).toBe(await unknown.text());
  });

  test("AUTH-03 from another site's page is refused", async () => {
    const email = newEmail();
    await createAccount({ email, password: PASSWORD });
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await callAuth("/sign-in/email", { email, password: PASSWORD }, headers)).status).toBe(403);
  });

  test("AUTH-04 by a one-time link works once, on whichever loopback name, and goes on to /", async () => {
    for (const base of ["http://localhost:3000", "http://127.0.0.1:4123", "http://[::1]:3000"]) {
      const { userId } = await createAccount({ email: newEmail(), password: PASSWORD });
      const { url: link } = await makeSignInLink(userId, base);
      expect(link.startsWith(`${base}/auth/`)).toBe(true);
      const first = await follow(link);
      expect([first.status, first.headers.get("location")]).toEqual([302, `${base}/`]);
      expect(await authenticateSession(new Headers({ cookie: cookiesOf(first) }))).toMatchObject({ userId });
      const again = await follow(link);
      expect(again.headers.get("location")).toContain("/sign-in?error=INVALID_TOKEN");
      expect(cookiesOf(again)).toBe("");
      expect(await db().credential.count({ where: { userId } })).toBe(1);
    }
    await expect(makeSignInLink(newId("user"), ORIGIN)).rejects.toMatchObject({ code: "not_found" });
  });

  test("AUTH-05 no link can be asked for over the network, and the stored form of one signs nobody in", async () => {
    const email = newEmail();
    const { userId } = await createAccount({ email });
    expect((await callAuth("/sign-in/magic-link", { email })).status).toBe(404);
    expect((await callAuth("/request-password-reset", { email })).status).toBe(404);
    const token = new URL((await makeSignInLink(userId, ORIGIN)).url).searchParams.get("token") ?? "";
    const stored = await db().verification.findMany();
    expect(token.length).toBeGreaterThan(20);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test("AUTH-06 a reset link sets a new password, once, and ends the sessions of before", async () => {
    const email = newEmail();
    const { userId } = await createAccount({ email, password: PASSWORD });
    const cookie = cookiesOf(await callAuth("/sign-in/email", { email, password: PASSWORD }));
    const token = new URL((await makeResetLink(userId, ORIGIN)).url).searchParams.get("token");
    const newPassword = "another good one";
    expect((await callAuth("/reset-password", { token, newPassword })).status).toBe(200);
    expect((await callAuth("/reset-password", { token, newPassword: "a third one" })).status).toBe(400);
    expect(await authenticateSession(new Headers({ cookie }))).toBeNull();
    expect((await callAuth("/sign-in/email", { email, password: PASSWORD })).status).toBe(401);
    expect((await callAuth("/sign-in/email", { email, password: newPassword })).status).toBe(200);
  });

  test("AUTH-09 a person changes the password with the current one, from this site, and ends other sessions if wished", async () => {
    const email = newEmail();
    await createAccount({ email, password: PASSWORD });
    const signIn = async () => cookiesOf(await callAuth("/sign-in/email", { email, password: PASSWORD }));
    const [mine, other] = [await signIn(), await signIn()];
    const change = (wish: object, headers: Record<string, string> = {}) =>
      callAuth("/change-password", wish, { cookie: mine, ...headers });
    const isIn = async (cookie: string) => (await authenticateSession(new Headers({ cookie }))) !== null;
    const good = { currentPassword: PASSWORD, newPassword: "another good one" };
    expect((await change({ ...good, currentPassword: "not it at all" })).status).toBe(400);
    expect((await change({ ...good, newPassword: "short" })).status).toBe(400);
    expect((await change(good, { origin: "https://evil.example" })).status).toBe(403);
    expect((await callAuth("/change-password", good)).status).toBe(401);
    expect((await change(good)).status).toBe(200);
    expect([await isIn(mine), await isIn(other)]).toEqual([true, true]);
    const again = { currentPassword: good.newPassword, newPassword: PASSWORD, revokeOtherSessions: true };
    const fresh = cookiesOf(await change(again));
    expect([await isIn(fresh), await isIn(mine), await isIn(other)]).toEqual([true, false, false]);
    expect((await callAuth("/sign-in/email", { email, password: good.newPassword })).status).toBe(401);
    expect((await callAuth("/sign-in/email", { email, password: PASSWORD })).status).toBe(200);
    expect((await callAuth("/delete-user", { password: PASSWORD }, { cookie: fresh })).status).toBe(404);
  });

  test("AUTH-07 signing up on loopback makes a renter with the credit of SIGNUP_CREDIT, once", async () => {
    const email = newEmail();
    const answer = await callAuth("/sign-up/email", { email, password: PASSWORD, name: "Ada" });
    expect(answer.status).toBe(200);
    const userId = await getAccountId(email);
    expect(userId).toMatch(/^user_/);
    expect(await balanceOf(userId)).toBe(100_000_000n);
    await callAuth("/sign-in/email", { email, password: PASSWORD });
    expect(await balanceOf(userId)).toBe(100_000_000n);
    expect((await db().user.findUniqueOrThrow({ where: { id: userId } })).roles).toEqual(["renter"]);
    const roles = { email: newEmail(), password: PASSWORD, name: "Eve", roles: ["operator"] };
    await callAuth("/sign-up/email", roles);
    expect(await db().user.count({ where: { roles: { has: "operator" }, name: "Eve" } })).toBe(0);
  });

  test("AUTH-08 behind a public https address cookies are Secure, and nobody signs up without SIGNUP=open", async () => {
    process.env.PUBLIC_URL = "https://gpu.example.com";
    const email = newEmail();
    await createAccount({ email, password: PASSWORD });
    const own = { origin: "https://gpu.example.com", host: "gpu.example.com" };
    const signIn = await callAuth("/sign-in/email", { email, password: PASSWORD }, own);
    expect(signIn.status).toBe(200);
    expect(signIn.headers.getSetCookie()[0]).toMatch(/^__Secure-berth\.session_token=.*Secure/);
    const loopback = await callAuth("/sign-in/email", { email, password: PASSWORD }, { cookie: "a=b" });
    expect(loopback.status).toBe(403);
    const stranger = { email: newEmail(), password: PASSWORD, name: "Eve" };
    expect((await callAuth("/sign-up/email", stranger, own)).status).toBe(400);
    process.env.SIGNUP = "open";
    expect((await callAuth("/sign-up/email", stranger, own)).status).toBe(200);
    expect(await balanceOf(await getAccountId(stranger.email))).toBe(0n);
  });
});
