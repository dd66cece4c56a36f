import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { auth } from "@/lib/accounts/auth";
import { authenticateKey } from "@/lib/accounts/caller";
import { operations } from "@/lib/contract/operations";
import { closeDatabase, db } from "@/lib/db/client";
import { acquireDatabase } from "@/lib/db/embedded";
import { holdServerLock } from "@/lib/db/server-lock";
import { openPassword } from "@/lib/templates/registry-password";
import { callApi } from "../support/api";
import { findPid, makeDataFolder } from "../support/data-folder";
import { query, readContents } from "../support/database-contents";
import { createTestDatabase } from "../support/postgres";
import { waitUntil } from "../support/wait-until";
import { makeWorld } from "../support/world";
import { runBerth } from "./run-berth";

const KEY = "0123456789abcdef".repeat(4);
const PASSWORD = "a long password";
const EMAIL = "ada@example.com";

let room = "";
let market = "";
/** A backup of `market`, for tests that spoil copies of it. */
let backup = "";
beforeAll(async () => {
  room = await mkdtemp(join(inject("scratchFolder"), "backup-cli-"));
  market = (await createTestDatabase()).url;
  process.env.DATABASE_URL = market;
  process.env.ENCRYPTION_KEY = KEY;
  process.env.RATE_LIMIT = "off";
  process.env.LOG_LEVEL ||= "fatal";
  await makeWorld();
  backup = join(room, "good");
  expect((await berth(["backup", "--to", backup], market)).code).toBe(0);
});
afterEach(closeDatabase);

function berth(args: string[], url: string, env: Record<string, string> = {}) {
  const dataDir = join(room, "nodes-own");
  return runBerth(args, { DATABASE_URL: url, DATA_DIR: dataDir, ENCRYPTION_KEY: KEY, ...env });
}

async function copyBackup(): Promise<string> {
  const folder = join(await mkdtemp(join(room, "copy-")), "backup");
  await cp(backup, folder, { recursive: true });
  await cp(`${backup}.key`, `${folder}.key`);
  return folder;
}

const emptyDatabase = async () => (await createTestDatabase({ empty: true })).url;

async function expectNothing(url: string): Promise<void> {
  const full = Object.entries(await readContents(url)).filter(([, sum]) => !sum.startsWith("0 "));
  expect(full.map(([name]) => name).filter((name) => name !== "exchange_rate")).toEqual([]);
}

describe("berth backup and restore", () => {
  test("BAK-08 bring a market of one folder into another: a password and a key let in, a registry password opens", async () => {
    const [old, fresh] = [await makeDataFolder(), await makeDataFolder()];
    const own = { DATA_DIR: old, ENCRYPTION_KEY: "" };
    const made = await runBerth(["account", "create", "--email", EMAIL, "--password-stdin"], own, PASSWORD);
    const { api_key: key } = z.object({ api_key: z.string() }).parse(made.json);
    await inMarket(old, async () => {
      const body = { name: "Mine", image: "ubuntu", docker_username: "ada", docker_password: "hush" };
      await callApi(operations.createTemplate, { key, body: { ...body, docker_registry: "r.example.com" } });
    });

    const to = join(room, "whole");
    const done = await runBerth(["backup", "--to", to], own);
    expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(/both .* keep them apart/)]);
    const answer = z
      .looseObject({ folder: z.string(), key_file: z.string(), note: z.string() })
      .parse(done.json);
    expect(answer).toMatchObject({ folder: to, key_file: `${to}.key`, note: done.stderr.trim() });
    expect(`${done.stdout}${done.stderr}`).not.toContain((await readFile(`${to}.key`, "utf8")).trim());

    const back = await runBerth(["restore", "--from", to], { DATA_DIR: fresh, ENCRYPTION_KEY: "" });
    expect([back.code, back.stderr]).toEqual([0, ""]);
    expect([await findPid(old), await findPid(fresh)]).toEqual([null, null]);
    const keyFile = join(fresh, "encryption.key");
    expect(await readFile(keyFile, "utf8")).toBe(await readFile(`${to}.key`, "utf8"));
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    await inMarket(fresh, async () => {
      expect((await authenticateKey(key))?.userId).toMatch(/^user_/);
      const { user } = await auth().api.signInEmail({ body: { email: EMAIL, password: PASSWORD } });
      expect(user.email).toBe(EMAIL);
      const template = await db().template.findFirstOrThrow({ where: { name: "Mine" } });
      expect(openPassword(template.dockerPasswordSealed ?? new Uint8Array(), `template:${template.id}`)).toBe(
        "hush",
      );
    });
  });
});

/** Runs work on the market of a data folder, with its own key. */
async function inMarket(folder: string, work: () => Promise<void>): Promise<void> {
  const database = await acquireDatabase(folder, { durable: false });
  const before = { ...process.env };
  Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: folder, ENCRYPTION_KEY: "" });
  try {
    await closeDatabase();
    await work();
  } finally {
    await closeDatabase();
    Object.assign(process.env, {
      DATABASE_URL: before.DATABASE_URL,
      DATA_DIR: before.DATA_DIR ?? "",
      ENCRYPTION_KEY: KEY,
    });
    await database.release();
  }
}

type Spoil = (folder: string) => Promise<unknown>;
const file = (folder: string) => join(folder, "user.copy.gz");
const flip: Spoil = async (folder) => {
  const bytes = await readFile(file(folder));
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(file(folder), bytes);
};
/** Changes the manifest as somebody would who knows how, checksum and all. */
const edit =
  (find: string | RegExp, put: string): Spoil =>
  async (folder) => {
    const text = (await readFile(join(folder, "manifest.json"), "utf8")).replace(find, put);
    await writeFile(join(folder, "manifest.json"), text);
    await writeFile(join(folder, "manifest.sha256"), createHash("sha256").update(text).digest("hex"));
  };

describe("berth restore refuses, in a sentence and with nothing written,", () => {
  test.each<[string, Spoil, RegExp]>([
    ["a changed byte", flip, /user\.copy\.gz in .* is not as it was written\. Copy the backup again/],
    ["a file cut short", (folder) => truncate(file(folder), 20), /user\.copy\.gz .* has 20 bytes instead of/],
    ["a missing file", (folder) => rm(file(folder)), /user\.copy\.gz in .* is missing/],
    [
      "a changed manifest",
      (folder) => writeFile(join(folder, "manifest.json"), "{}"),
      /manifest\.json .* is not as/,
    ],
    ["a manifest without its checksum", (folder) => rm(join(folder, "manifest.sha256")), /no whole backup/],
    ["another format", edit('"format": 1', '"format": 2'), /another format \(2\).*the Berth that made it/],
    ["a folder of something else", (folder) => rm(join(folder, "manifest.json")), /no whole backup of Berth/],
    ["no folder", (folder) => rm(folder, { recursive: true }), /no whole backup of Berth/],
    ["no key", (folder) => rm(`${folder}.key`), /no key file .*--key-file/],
    ["a wrong key", (folder) => writeFile(`${folder}.key`, `${"f0e1".repeat(16)}\n`), /not this backup's/],
    ["what is no key", (folder) => writeFile(`${folder}.key`, "hush"), /holds no encryption key/],
    [
      "a newer Berth's",
      edit(/"name": "2026/, '"name": "2027'),
      /a newer Berth: this one lacks the migration 2027/,
    ],
    [
      "an older Berth's",
      edit(/\{\s+"name": "20261121000000_init",[^}]*\},/, ""),
      /an older Berth, from before .*_init/,
    ],
    ["a changed migration", edit(/"checksum": "../, '"checksum": "zz'), /_init is not the one/],
    ["a backup without a table", edit(/\{\s+"name": "session",[^}]*\},/, ""), /the same session/],
    ["a backup without a column", edit(/"ip_address",/, ""), /the same session/],
    [
      "a backup without a sequence",
      edit(/\{\s+"name": "event_id_seq",[^}]*\},/, ""),
      /the same event_id_seq/,
    ],
    [
      "other rows than were counted",
      edit(/("name": "user",[^}]*"rows": )\d+/, "$199"),
      /user would have \d+ rows instead of 99/,
    ],
  ])("BAK-09 %s", async (_, spoil, reason) => {
    const folder = await copyBackup();
    await spoil(folder);
    const { url } = await createTestDatabase();
    const run = await berth(["restore", "--from", folder], url);
    expect([run.code, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(reason);
    expect(run.stderr).not.toMatch(/^\s+at /m);
    await expectNothing(url);
  });

  test("BAK-10 another key that is set already, before anything is opened", async () => {
    const other = Buffer.alloc(32, "another key ").toString("base64");
    const url = await emptyDatabase();
    const set = await berth(["restore", "--from", backup], url, { ENCRYPTION_KEY: other });
    expect([set.code, set.stderr]).toEqual([1, expect.stringMatching(/Another encryption key is set here/)]);
    const folder = await mkdtemp(join(room, "keyed-"));
    await writeFile(join(folder, "encryption.key"), other);
    const kept = await runBerth(["restore", "--from", backup], { DATA_DIR: folder, ENCRYPTION_KEY: "" });
    expect([kept.code, kept.stderr]).toEqual([
      1,
      expect.stringMatching(/Another encryption key is set here/),
    ]);
    expect(await readdir(folder)).toEqual(["encryption.key"]);
    expect(await query(url, "SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  test("BAK-11 a database that is not empty, is something else's, or has a server on it", async () => {
    const before = await readContents(market);
    const full = await berth(["restore", "--from", backup], market);
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringMatching(/not empty .* before its first start/),
    ]);
    expect(await readContents(market)).toEqual(before);

    const foreign = await emptyDatabase();
    await query(foreign, "CREATE TABLE blog (id int)");
    const other = await berth(["restore", "--from", backup], foreign);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringMatching(/tables of something else \(blog\)/),
    ]);

    const served = await emptyDatabase();
    const lock = await holdServerLock(join(room, "served"), served);
    const run = await berth(["restore", "--from", backup], served).finally(() => lock.release());
    expect([run.code, run.stderr]).toEqual([
      1,
      expect.stringContaining(`(process ${process.pid}) runs on this`),
    ]);
    for (const url of [foreign, served]) {
      expect(await query(url, "SELECT to_regclass('_prisma_migrations') AS made")).toEqual([{ made: null }]);
    }
  });
});

describe("berth backup refuses", () => {
  test("BAK-12 where there is no market, or not its key, and makes none", async () => {
    const to = join(room, "refused");
    const nowhere = join(room, "nowhere");
    const none = await runBerth(["backup", "--to", to], { DATA_DIR: nowhere, ENCRYPTION_KEY: "" });
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/There is no market in .*nowhere/)]);
    const keyless = await berth(["backup", "--to", to], market, { ENCRYPTION_KEY: "", DATA_DIR: nowhere });
    expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringMatching(/encryption key is not here/)]);
    const bare = await berth(["backup", "--to", to], await emptyDatabase());
    expect([bare.code, bare.stderr]).toEqual([1, expect.stringMatching(/no market in this database/)]);
    const left = (await readdir(room)).filter((name) => name.startsWith("refused") || name === "nowhere");
    expect(left).toEqual([]);
  });
});

/** Starts the command and kills it once it waits for a lock in the database. */
async function killWaiting(name: string, doing: string, args: string[], url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url, ENCRYPTION_KEY: KEY, DATA_DIR: join(room, "nodes-own") };
  const child = spawn(process.execPath, [".programs/berth.js", ...args], {
    env,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await waitUntil(`${name} waits in its middle`, async () => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${name}'
      AND wait_event_type = 'Lock' AND query LIKE '%${doing}%'`;
    return (await query(url, waiting)).length > 0;
  });
  child.kill("SIGKILL");
  await ended;
}

describe("kill -9", () => {
  test("BAK-13 in the middle of a backup leaves no backup, and the next one is made", async () => {
    const { url } = await createTestDatabase();
    await query(url, "CREATE SEQUENCE zz"); // sequences come after the tables
    const to = join(room, "killed");
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query("BEGIN; DROP SEQUENCE zz");
    await killWaiting("berth backup", "last_value", ["backup", "--to", to], url);
    await holder.end();
    const left = (await readdir(room)).filter((name) => name.startsWith("killed"));
    expect(left).toEqual([expect.stringMatching(/^killed\.partial-/)]);
    expect(await readdir(join(room, left[0] ?? ""))).toContain("user.copy.gz");
    const again = await berth(["backup", "--to", to], url);
    expect([again.code, (await stat(join(to, "manifest.json"))).isFile()]).toEqual([0, true]);
  });

  test("BAK-14 in the middle of a restore leaves the database empty, and the next one fills it", async () => {
    const { url } = await createTestDatabase();
    await query(
      url,
      "ALTER TABLE instance ADD CONSTRAINT wait CHECK (pg_advisory_xact_lock_shared(1)::text = '')",
    );
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock(1)");
    await killWaiting("berth restore", "COPY", ["restore", "--from", backup], url);
    await holder.end();
    await waitUntil("the killed one's session has ended", async () => {
      const sessions = await query(
        url,
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'berth restore'",
      );
      return sessions.length === 0;
    });
    await expectNothing(url);
    await query(url, "ALTER TABLE instance DROP CONSTRAINT wait");
    const again = await berth(["restore", "--from", backup], url);
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(await readContents(url)).toEqual(await readContents(market));
  });
});
