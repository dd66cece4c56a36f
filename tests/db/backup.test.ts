import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { createAccount } from "@/lib/accounts/create-account";
import { creditAccount } from "@/lib/billing/credit-account";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { operations } from "@/lib/contract/operations";
import { readManifest } from "@/lib/db/backup/manifest";
import { restoreBackup } from "@/lib/db/backup/restore-backup";
import { writeBackup } from "@/lib/db/backup/write-backup";
import { closeDatabase, db } from "@/lib/db/client";
import { getEncryptionKey } from "@/lib/db/encryption-key";
import { recordPrices } from "@/lib/market/record-prices";
import { rethrow } from "@/lib/worker/each-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callAgent, joinMachine, seen } from "../support/agent-machine";
import { callApi, makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { findOrphans, query, readContents, readState } from "../support/database-contents";
import { createTestDatabase } from "../support/postgres";
import { startServer } from "../support/server";
import { waitUntil } from "../support/wait-until";
import { makeSecret, makeWorld, rent } from "../support/world";

useTestDatabase();

const source = () => process.env.DATABASE_URL ?? "";
let room = "";
beforeAll(async () => {
  room = await mkdtemp(join(inject("scratchFolder"), "backup-"));
});

/** A place for a backup, which does not exist yet. */
const newPlace = () => join(room, randomBytes(6).toString("hex"));

async function backUp(url = source()): Promise<string> {
  const to = newPlace();
  await writeBackup({ url, to, keyFile: `${to}.key`, key: getEncryptionKey() });
  return to;
}

async function restore(folder: string, url: string): Promise<void> {
  const manifest = await readManifest(folder);
  await restoreBackup({ url, folder, manifest, key: getEncryptionKey(), keyFile: null });
}

/** One of everything, and texts that a copy could spoil. */
async function fillMarket(): Promise<void> {
  const { key, userId } = await makeWorld();
  await createAccount({ email: `${userId.toLowerCase()}@b.example.com`, password: "a long password" });
  const hostile = 'tab\t newline\n return\r quote" back\\slash \\N \\. кошка 猫 🐈';
  const body = { name: hostile.slice(0, 50), image: "ubuntu", env: "A=b", docker_password: "hush" };
  const registry = { docker_username: "ada", docker_registry: "registry.example.com" };
  await callApi(operations.createTemplate, { key, body: { ...body, ...registry, readme: hostile } });
  const { offerId } = await makeOffer();
  const { templateId } = await makeTemplate(userId);
  const month = { offer_id: offerId, template_id: templateId, reserve_period: "month" };
  const rented = await callApi(operations.createInstance, {
    key,
    body: month,
    headers: { "idempotency-key": "one" },
  });
  expect(rented.status).toBe(200);
  await db().exchangeRate.create({ data: { currency: "RUB", unitsPerUsd: "78.1234567891" } });
  await recordPrices();
  await fillMachine(userId, key, templateId);
}

/** A machine with an instance on it, which has written and was measured. */
async function fillMachine(userId: string, key: string, templateId: string): Promise<void> {
  const { secret, hosts } = await joinMachine(userId);
  const { id } = await db().offer.findUniqueOrThrow({ where: { hostId: hosts[0]?.hostId ?? "" } });
  const instanceId = await rent(key, { offer_id: id, template_id: templateId });
  await reconcileInstances(rethrow);
  const stats = { gpuUtil: 1, cpuUtil: 2, ramUtil: 3, memUtil: 4, inetIn: 5, inetOut: 6 };
  const logs = { [instanceId]: [{ atNs: "1", stream: "stdout", text: "written" }] };
  const containers = [seen(instanceId, "running", { stats })];
  const body = { number: 1, engineAvailable: true, seen: containers, logs };
  expect((await callAgent("/agent/report", { secret, body })).status).toBe(200);
}

describe("a backup and its restore", () => {
  test("BAK-01 gives every table row for row, triggers and sequences too, into a database without migrations", async () => {
    await fillMarket();
    const folder = await backUp();
    const target = (await createTestDatabase({ empty: true })).url;
    await restore(folder, target);
    const contents = await readContents(source());
    expect(await readContents(target)).toEqual(contents);
    expect(await readState(target)).toEqual(await readState(source()));
    expect(await findOrphans(target)).toEqual([]);
    const empty = Object.entries(contents).filter(([, sum]) => sum.startsWith("0 "));
    // What nothing above fills would be compared with nothing.
    expect(empty.map(([name]) => name)).toEqual(["session", "verification"]);
  });

  test("BAK-02 takes tables, columns and sequences that it has never heard of, and leaves to the database what is its own", async () => {
    const extend = `
      CREATE TABLE twig (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, of bigint REFERENCES twig, leaf text REFERENCES a_leaf,
        twice bigint GENERATED ALWAYS AS (id * 2) STORED, made_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
        amount numeric, at timestamptz, span interval, real double precision, bytes bytea, list text[], json jsonb);
      ALTER TABLE balance ADD COLUMN added text DEFAULT 'x';
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'append-only'; END $$;
      CREATE TRIGGER twig_refuses BEFORE INSERT OR UPDATE OR DELETE ON twig FOR EACH ROW EXECUTE FUNCTION refuse();`;
    const [first, second] = [(await createTestDatabase()).url, (await createTestDatabase()).url];
    for (const url of [first, second]) {
      await query(url, "CREATE TABLE a_leaf (name text PRIMARY KEY, of text)"); // refers to nothing, and sorts first
      await query(url, extend);
    }
    await query(
      first,
      `ALTER TABLE twig DISABLE TRIGGER USER;
       INSERT INTO a_leaf VALUES ('oak', NULL), ('', ''), (E'a\\tb\\n\\\\N', '\\N');
       INSERT INTO twig (of, leaf, amount, at, span, real, bytes, list, json) VALUES
         (2, 'oak', 1e-20, 'infinity', '-1 day 3 hours', 'NaN', '\\x00ff', '{NULL,"a,b","\\\\"}', '{"a":[1,null,"\\n"]}'),
         (NULL, '', 123456789012345678.000000000001, '0001-01-01 BC', '1 year', 0.1::float8 + 0.2, '', '{}', 'null');
       ALTER TABLE twig ENABLE TRIGGER USER;
       ALTER DATABASE ${new URL(first).pathname.slice(1)} SET datestyle = 'German';
       ALTER DATABASE ${new URL(second).pathname.slice(1)} SET datestyle = 'SQL, DMY'`,
    );
    const folder = await backUp(first);
    const { tables } = await readManifest(folder);
    expect(tables.find(({ name }) => name === "twig")?.columns).not.toContain("made_in");
    await restore(folder, second);
    const reset = (url: string) =>
      query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} RESET datestyle`);
    await Promise.all([reset(first), reset(second)]);
    expect(await readContents(second)).toEqual(await readContents(first));
    expect(await readState(second)).toEqual(await readState(first));
    await expect(query(second, "DELETE FROM twig")).rejects.toThrow("append-only");
  });

  test("BAK-03 needs no superuser: the owner of a database restores into it", async () => {
    const folder = await backUp();
    const { url } = await createTestDatabase({ empty: true });
    const owner = `owner_${randomBytes(4).toString("hex")}`;
    const name = new URL(url).pathname.slice(1);
    await query(url, `CREATE ROLE ${owner} LOGIN PASSWORD 'x'; ALTER DATABASE ${name} OWNER TO ${owner}`);
    const target = new URL(url);
    target.username = owner;
    target.password = "x";
    await restore(folder, target.href);
    expect(await readContents(target.href)).toEqual(await readContents(source()));
    expect(await readState(target.href)).toEqual(await readState(source()));
  });
});

describe("a backup under load", () => {
  test("BAK-04 is one instant: ledger, balances and meters agree, sequences are ahead, every reference is whole", async () => {
    const server = await startServer({ DATABASE_URL: source() });
    const load = { on: true, rents: 0 };
    const renters = await Promise.all(Array.from({ length: 6 }, () => makeAccount()));
    const writers = renters.map(({ key, userId }, n) => keepWriting(key, userId, n, load));
    const folders: string[] = [];
    while (folders.length < 5) {
      const before = load.rents;
      folders.push(await backUp());
      await waitUntil("more was rented", async () => load.rents > before);
    }
    load.on = false;
    await Promise.all(writers);
    await server.kill("SIGTERM");
    const market = source();
    for (const folder of folders) {
      const target = (await createTestDatabase({ empty: true })).url;
      await restore(folder, target);
      expect(await findOrphans(target)).toEqual([]);
      expect(await query(target, BEHIND)).toEqual([]);
      process.env.DATABASE_URL = target;
      await closeDatabase();
      const { checked, findings } = await verifyLedger();
      expect(findings).toEqual([]);
      expect(Math.min(...Object.values(checked))).toBeGreaterThan(0);
      await closeDatabase();
      process.env.DATABASE_URL = market;
    }
  });
});

/** Leases that disagree with instances, and a sequence that would give a number again. */
const BEHIND = `
  SELECT 'lease' AS what, id FROM offer o
    WHERE leased <> EXISTS (SELECT 1 FROM instance i WHERE i.offer_id = o.id AND i.holds_lease)
  UNION ALL SELECT 'sequence', 'event' FROM event HAVING max(id) >= nextval(pg_get_serial_sequence('event', 'id'))`;

/** Credits, rents by the hour and ahead, pauses and destroys until it is told to end. */
async function keepWriting(key: string, userId: string, n: number, load: { on: boolean; rents: number }) {
  const { templateId } = await makeTemplate(userId);
  for (let i = 0; load.on; i++) {
    await creditAccount({ userId, amountMicro: 50_000_003n, reference: `load ${n} ${i}` });
    const { offerId } = await makeOffer();
    const [reserve_period, secret] = [i % 3 ? "hour" : "day", await makeSecret(key)];
    const body = { offer_id: offerId, template_id: templateId, secret_ids: [secret], reserve_period };
    const rented = await callApi(operations.createInstance, { key, body });
    expect(rented.status).toBe(200);
    const params = { instance_id: rented.body.data[0]?.id ?? "" };
    await waitUntil("it runs", async () => {
      const answer = await callApi(operations.controlInstance, { key, params, query: { action: "pause" } });
      return answer.status === 200;
    });
    if (i % 2) await callApi(operations.deleteInstance, { key, params });
    load.rents += 1;
  }
}

describe("what a backup leaves on disk", () => {
  test("BAK-05 is the owner's alone: folder 0700, files 0600, the key in a file of its own and nowhere else", async () => {
    const folder = await backUp();
    const mode = async (file: string) => (await stat(file)).mode & 0o777;
    expect(await mode(folder)).toBe(0o700);
    const files = await readdir(folder);
    for (const file of files) expect([file, await mode(join(folder, file))]).toEqual([file, 0o600]);
    expect(await mode(`${folder}.key`)).toBe(0o600);
    const key = getEncryptionKey();
    expect(await readFile(`${folder}.key`, "utf8")).toBe(`${key.toString("base64")}\n`);
    for (const file of files.filter((name) => name.startsWith("manifest"))) {
      const text = await readFile(join(folder, file), "utf8");
      for (const form of ["base64", "hex"] as const) expect(text).not.toContain(key.toString(form));
    }
    expect((await readdir(room)).filter((name) => name.includes(".partial-"))).toEqual([]);
  });

  test("BAK-06 is never written over: a folder with something in it, another key, a key within the folder", async () => {
    const folder = await backUp();
    const before = await readFile(join(folder, "manifest.json"), "utf8");
    const ask = (to: string, keyFile: string, key = getEncryptionKey()) =>
      writeBackup({ url: source(), to, keyFile, key });
    await expect(ask(folder, `${newPlace()}.key`)).rejects.toThrow(/not empty/);
    const place = newPlace();
    await expect(ask(place, join(place, "key"))).rejects.toThrow(/may not be in the backup's folder/);
    await writeFile(`${place}.key`, `${randomBytes(32).toString("base64")}\n`);
    await expect(ask(place, `${place}.key`)).rejects.toThrow(/holds another key/);
    await expect(ask(place, `${place}.other`, randomBytes(32))).rejects.toThrow(/not the one .* sealed with/);
    await expect(stat(place)).rejects.toThrow("ENOENT");
    expect(await readFile(join(folder, "manifest.json"), "utf8")).toBe(before);
    const again = newPlace();
    await ask(again, `${folder}.key`); // every night's backup may name the same key file
    expect(await readdir(again)).toContain("manifest.json");
  });

  test("BAK-07 is nothing where the backup's connection breaks in its middle", async () => {
    const { url } = await createTestDatabase();
    await query(url, "CREATE SEQUENCE zz"); // sequences come after the tables
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query("BEGIN; DROP SEQUENCE zz");
    const to = newPlace();
    const failure = writeBackup({ url, to, keyFile: `${to}.key`, key: getEncryptionKey() }).then(
      () => "none",
      (error: Error) => error.message,
    );
    await waitUntil("the tables are copied", async () => {
      const ended = await query(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'berth backup' AND wait_event_type = 'Lock'`,
      );
      return ended.length > 0;
    });
    expect(await failure).toMatch(/terminat/);
    await holder.end();
    expect((await readdir(room)).filter((name) => join(room, name).startsWith(to))).toEqual([]);
  });
});
