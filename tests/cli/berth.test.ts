import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { auth } from "@/lib/accounts/auth";
import { authenticateKey } from "@/lib/accounts/caller";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { callApi, makeAccount, makeProvider, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { findPid, makeDataFolder } from "../support/data-folder";
import { runBerth } from "./run-berth";

useTestDatabase();

const created = z.strictObject({
  account_id: z.string().regex(/^user_[0-9A-Za-z]{20}$/),
  email: z.string(),
  api_key: z.string().regex(/^ak-/),
});

let dataDir = "";
beforeAll(() => {
  dataDir = join(inject("scratchFolder"), "berth-cli");
});

function berth(args: string[], input?: string) {
  const { DATABASE_URL = "", ENCRYPTION_KEY = "" } = process.env;
  return runBerth(args, { DATABASE_URL, ENCRYPTION_KEY, DATA_DIR: dataDir }, input);
}

async function createAccount(email: string, ...more: string[]) {
  const run = await berth(["account", "create", "--email", email, ...more]);
  expect([run.code, run.stderr]).toEqual([0, ""]);
  return created.parse(run.json);
}

describe("berth account", () => {
  test("CLI-01 create prints account, e-mail and a key that works, with balance and roles", async () => {
    const made = await createAccount("Ada@example.com", "--balance", "12.5", "--role", "operator", "host");
    expect(made.email).toBe("ada@example.com");
    expect((await authenticateKey(made.api_key))?.roles).toEqual(["renter", "operator", "host"]);
    const balance = await db().balance.findUniqueOrThrow({ where: { userId: made.account_id } });
    expect(balance.availableMicro).toBe(12_500_000n);
  });

  test("CLI-02 a taken e-mail address is an error with a reason on stderr and nothing on stdout", async () => {
    await createAccount("twice@example.com");
    const again = await berth(["account", "create", "--email", "twice@example.com"]);
    expect([again.code, again.stdout]).toEqual([1, ""]);
    expect(again.stderr).toMatch(/already an account.*key create/);
  });

  test("CLI-03 a password comes by standard input and signs in", async () => {
    const email = "typed@example.com";
    const run = await berth(["account", "create", "--email", email, "--password-stdin"], "a long password\n");
    expect(run.code).toBe(0);
    const signIn = await auth().api.signInEmail({ body: { email, password: "a long password" } });
    expect(signIn.user.email).toBe(email);
  });

  test("CLI-04 credit, suspend, reset-link and sign-in-link do what they say", async () => {
    const email = "managed@example.com";
    const { account_id, api_key } = await createAccount(email);
    const credit = await berth([
      ...["account", "credit", "--email", email, "--amount", "2.25"],
      ...["--reference", "invoice 1"],
    ]);
    expect(credit.json).toEqual({ account_id, balance: 2.25 });
    const tooMuch = await berth([
      ...["account", "debit", "--email", email, "--amount", "3"],
      ...["--reference", "mistake"],
    ]);
    expect([tooMuch.code, tooMuch.stderr.includes("below zero")]).toEqual([1, true]);
    const suspend = await berth(["account", "suspend", "--email", email]);
    expect(suspend.json).toEqual({ account_id, suspended: true });
    await expect.poll(async () => (await authenticateKey(api_key))?.suspended).toBe(true);
    await berth(["account", "suspend", "--email", email, "--lift"]);
    await expect.poll(async () => (await authenticateKey(api_key))?.suspended).toBe(false);
    const reset = await berth(["account", "reset-link", "--email", email]);
    expect(JSON.stringify(reset.json)).toMatch(/http:\/\/127\.0\.0\.1:3000\/sign-in\/reset\?token=/);
    const signIn = await berth(["account", "sign-in-link", "--email", email]);
    expect(JSON.stringify(signIn.json)).toMatch(
      /http:\/\/127\.0\.0\.1:3000\/auth\/magic-link\/verify\?token=/,
    );
  });
});

describe("berth key, host, template, instance", () => {
  test("CLI-05 a key is made with scopes, listed without its secret, and revoked", async () => {
    const email = "keys@example.com";
    await createAccount(email);
    const made = await berth(["key", "create", "--email", email, "--scopes", "market:read", "--name", "ci"]);
    const { key_id, api_key } = z.object({ key_id: z.string(), api_key: z.string() }).parse(made.json);
    expect([...((await authenticateKey(api_key))?.scopes ?? [])]).toEqual(["market:read"]);
    const list = await berth(["key", "list", "--email", email]);
    expect(list.json).toHaveLength(2);
    expect(list.stdout).not.toContain(api_key.split("_")[1]);
    expect((await berth(["key", "revoke", key_id])).code).toBe(0);
    await expect.poll(() => authenticateKey(api_key)).toBeNull();
    const missing = await berth(["key", "revoke", "nothing"]);
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
  });

  test("CLI-06 a simulated host can be found at once", async () => {
    const email = "owner@example.com";
    const { api_key: key } = await createAccount(email);
    const args = [
      "--email",
      email,
      "--runtime",
      "simulated",
      "--gpu",
      "l40s",
      "--gpus",
      "2",
      "--price",
      "1.5",
    ];
    const run = await berth(["host", "create", ...args]);
    const made = z.strictObject({ host_id: z.string(), offer_id: z.string() }).parse(run.json);
    const body = { query: { gpu_translit_name: ["l40s"], rentable: true } };
    const found = await callApi(operations.searchMarket, { key, body });
    expect(found.body.data.map(({ id }) => id)).toContain(made.offer_id);
    const unknown = await berth([
      "host",
      "create",
      "--email",
      email,
      "--runtime",
      "simulated",
      "--gpu",
      "nope",
    ]);
    expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
  });

  test("CLI-07 an operator publishes a template and takes that back", async () => {
    const { userId } = await makeAccount();
    const { key } = await makeAccount();
    const { templateId } = await makeTemplate(userId);
    const params = { template_id: templateId };
    const status = async () => (await callApi(operations.getTemplate, { key, params })).status;
    expect(await status()).toBe(404);
    expect((await berth(["template", "publish", templateId])).code).toBe(0);
    expect(await status()).toBe(200);
    expect((await berth(["template", "unpublish", templateId])).code).toBe(0);
    expect(await status()).toBe(404);
    expect((await berth(["template", "publish", "tmpl_nothing"])).code).toBe(1);
  });

  test("CLI-08 instances of everyone are listed and destroyed only with --any", async () => {
    expect((await berth(["instance", "list"])).code).toBe(2);
    const list = await berth(["instance", "list", "--any"]);
    expect(list.json).toEqual({ total: 0, items: [] });
    expect((await berth(["instance", "destroy", "inst_nothing", "--any"])).code).toBe(1);
  });
});

describe("berth payout, rates", () => {
  test("CLI-14 a payout leaves once a reference, never more than is owed, and is listed with what is left", async () => {
    const { account_id } = await createAccount("earner@example.com");
    const providerId = await makeProvider();
    const { translitName } = await db().provider.findUniqueOrThrow({ where: { id: providerId } });
    const { userId } = await makeAccount();
    for (const payeeId of [account_id, providerId]) {
      const cause = `test:${payeeId}`;
      const moved = { renterMicro: -10_000_000n, hostMicro: 9_500_000n, feeMicro: 500_000n };
      await db().ledgerMovement.create({ data: { cause, kind: "usage", userId, payeeId, ...moved } });
    }
    const pay = (amount: string, reference: string, payee = ["--email", "earner@example.com"]) =>
      berth(["payout", "create", ...payee, "--amount", amount, "--reference", reference]);
    const left = { earned: 9.5, paid_out: 4.25, owed: 5.25 };
    expect((await pay("4.25", "bank 1")).json).toEqual({ payee_id: account_id, ...left });
    expect((await pay("4.25", "bank 1")).json).toEqual({ payee_id: account_id, ...left });
    for (const [amount, reference] of [
      ["5.250001", "bank 2"],
      ["0", "bank 3"],
      ["1", "bank 1"],
    ] as const) {
      const refused = await pay(amount, reference);
      expect([refused.code, refused.stdout], reference).toEqual([1, ""]);
      expect(refused.stderr).toMatch(/^(amount|reference): /);
    }
    const toProvider = await pay("9.5", "bank 1", ["--provider", translitName]);
    expect(toProvider.json).toMatchObject({ payee_id: providerId, owed: 0 });
    const mine = { payee_id: account_id, amount: 4.25, reference: "bank 1", at: expect.any(String) };
    const list = await berth(["payout", "list", "--email", "earner@example.com"]);
    expect(list.json).toEqual({ ...left, total: 1, items: [mine] });
    const all = await berth(["payout", "list"]);
    expect(all.json).toEqual({
      total: 2,
      items: [{ ...mine, payee_id: providerId, amount: 9.5 }, mine],
    });
    const nobody = await pay("1", "bank 4", ["--provider", "nobody"]);
    expect([nobody.code, nobody.stderr.includes("no provider")]).toEqual([1, true]);
    const unnamed = await pay("1", "bank 5", []);
    expect([unnamed.code, unnamed.stderr.includes("--provider")]).toEqual([2, true]);
  });

  test("CLI-15 a rate holds from now on, and those before stay listed", async () => {
    const { key } = await makeAccount();
    const shown = async () =>
      (await callApi(operations.getBilling, { key, query: { currency: "RUB" } })).body.data;
    expect((await shown()).balance).toBe(80_000);
    const set = await berth(["rates", "set", "RUB", "78.5"]);
    expect(set.json).toMatchObject({ currency: "RUB", units_per_usd: "78.5" });
    expect(await shown()).toMatchObject({ balance: 78_500, rate: { units_per_usd: "78.5" } });
    const list = await berth(["rates", "list"]);
    expect(list.json).toMatchObject([{ currency: "RUB", units_per_usd: "78.5" }, {}, {}, {}]);
    expect(list.json).toContainEqual({
      currency: "RUB",
      units_per_usd: "80",
      effective_at: "2026-01-01T00:00:00.000Z",
    });
    for (const wrong of ["0", "x", "1e3", "1.12345678901"]) {
      const refused = await berth(["rates", "set", "RUB", wrong]);
      expect([refused.code, refused.stderr.startsWith("units_per_usd: Must be more than zero")]).toEqual([
        1,
        true,
      ]);
    }
    expect((await berth(["rates", "set", "USD", "2"])).code).toBe(2);
  });
});

describe("berth catalogue", () => {
  test("CLI-09 what generate writes can be imported, again without a change, and a shorter file withdraws", async () => {
    const file = join(inject("scratchFolder"), "market.jsonl");
    const generated = await berth(["catalogue", "generate", "--offers", "40", "--seed", "x", "--out", file]);
    expect(generated.json).toEqual({ file, offers: 40, seed: "x" });
    const load = () => berth(["catalogue", "import", file, "--runtime", "simulated"]);
    expect((await load()).json).toMatchObject({ created: 40, withdrawn: 0, skipped_count: 0 });
    expect((await load()).json).toMatchObject({ created: 0, updated: 0, unchanged: 40, withdrawn: 0 });
    const lines = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, `${lines.slice(0, 30).join("\n")}\n{"catalogue_key":"bad"}\n`);
    const third = await load();
    expect(third.json).toMatchObject({ unchanged: 30, withdrawn: 10, skipped_count: 1 });
    expect(third.stderr).toMatch(/line 31 skipped: /);
  });

  test("CLI-10 a file that cannot be read is refused with a sentence", async () => {
    for (const file of ["/nothing.csv", "/tmp", "package.json"]) {
      const run = await berth(["catalogue", "import", file]);
      expect([run.code, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).not.toMatch(/^\s+at /m);
    }
  });
});

describe("berth", () => {
  test.each([
    "",
    "account create",
    "account credit",
    "account suspend",
    "account reset-link",
    "account sign-in-link",
    "key create",
    "key list",
    "key revoke",
    "host create",
    "host simulate",
    "host token create",
    "host list",
    "host verify",
    "host unverify",
    "host ban",
    "host unban",
    "host revoke",
    "template publish",
    "template unpublish",
    "instance list",
    "instance destroy",
    "catalogue import",
    "catalogue generate",
    "demo load",
    "account debit",
    "ledger verify",
    "payout create",
    "payout list",
    "rates set",
    "rates list",
    "backup",
    "restore",
  ])("CLI-11 `%s --help` explains, with an example", async (command) => {
    const run = await runBerth([...command.split(" ").filter(Boolean), "--help"], {});
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toContain("Usage: berth");
    if (command) expect(run.stdout).toContain(`npm run -s berth -- ${command}`);
  });

  test("CLI-12 misuse exits 2, before anything is opened", async () => {
    for (const args of [
      ["nonsense"],
      ["account", "create"],
      ["account", "create", "--email", "a@b.c", "--balance", "x"],
    ]) {
      const run = await runBerth(args, { DATA_DIR: "/nonexistent/nowhere" });
      expect([run.code, run.stdout]).toEqual([2, ""]);
      expect(run.stderr).toMatch(/error: /);
    }
  });

  test("CLI-13 works on a data folder without a server, leaves none running, and loads one demo however often", async () => {
    const folder = await makeDataFolder();
    const first = await runBerth(["demo", "load"], { DATA_DIR: folder });
    expect(first.stderr).toBe("");
    expect(await findPid(folder)).toBeNull();
    const again = await runBerth(["demo", "load"], { DATA_DIR: folder });
    expect(again.json).toEqual(first.json);
    const kept: unknown = JSON.parse(await readFile(join(folder, "demo.json"), "utf8"));
    expect(kept).toMatchObject({ api_key: z.object({ api_key: z.string() }).parse(first.json).api_key });
    expect((await stat(join(folder, "demo.json"))).mode & 0o777).toBe(0o600);
    const refused = await runBerth(["key", "list", "--email", "nobody@example.com"], { DATA_DIR: folder });
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
  });
});
