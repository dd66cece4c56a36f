import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { expect, inject, test, vi } from "vitest";
import { diffMigrations } from "@/lib/db/diff-migrations";
import { MIGRATIONS_FOLDER } from "@/lib/db/migration-history";
import { migrate, pendingMigrations } from "@/lib/db/migrator";
import { createTestDatabase } from "../support/postgres";
import { spawnDatabaseUser } from "../support/spawn-database-user";

const room = await mkdtemp(join(inject("scratchFolder"), "migrations-"));

const FIRST = `CREATE TABLE "berth" ("id" INTEGER PRIMARY KEY, "note" TEXT NOT NULL DEFAULT 'a;b');
CREATE FUNCTION "double"("n" INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
BEGIN
  RETURN "n" * 2;
END $$;
`;

async function makeFolder(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(room, "folder-"));
  for (const [name, script] of Object.entries(migrations)) await addMigration(folder, name, script);
  return folder;
}

async function addMigration(folder: string, name: string, script: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "migration.sql"), script);
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement).finally(() => client.end());
  return rows;
}

async function emptyDatabase(): Promise<string> {
  return (await createTestDatabase({ empty: true })).url;
}

test("DB-01 applies the project's migrations to an empty database, and nothing the second time", async () => {
  const url = await emptyDatabase();
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(await pendingMigrations(url)).toEqual(names.sort());
  expect(await migrate(url)).toEqual(names);
  expect(await migrate(url)).toEqual([]);
  expect(await pendingMigrations(url)).toEqual([]);
});

test("DB-02 takes scripts whole: semicolons in functions and strings, and what comes later", async () => {
  const url = await emptyDatabase();
  const folder = await makeFolder({ "1_first": FIRST });
  expect(await migrate(url, folder)).toEqual(["1_first"]);
  await addMigration(folder, "2_second", `INSERT INTO "berth" ("id") VALUES ("double"(21));`);
  expect(await pendingMigrations(url, folder)).toEqual(["2_second"]);
  expect(await migrate(url, folder)).toEqual(["2_second"]);
  expect(await query(url, 'TABLE "berth"')).toEqual([{ id: 42, note: "a;b" }]);
});

test("DB-03 lets nodes that start at once take turns: each migration runs once", async () => {
  const url = await emptyDatabase();
  const folder = await makeFolder({ "1_first": FIRST, "2_slow": "SELECT pg_sleep(0.3);" });
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(url, folder)));
  expect(applied.filter((names) => names.length > 0)).toEqual([["1_first", "2_slow"]]);
  expect(await query(url, "SELECT count(*)::int AS n FROM _prisma_migrations")).toEqual([{ n: 2 }]);
});

test("DB-04 refuses a past migration that was changed; other line ends are no change", async () => {
  const url = await emptyDatabase();
  const folder = await makeFolder({ "1_first": FIRST });
  await migrate(url, folder);
  await addMigration(folder, "1_first", FIRST.replaceAll("\n", "\r\n"));
  expect(await migrate(url, folder)).toEqual([]);
  await addMigration(folder, "1_first", `${FIRST}-- edited\n`);
  await addMigration(folder, "2_second", "SELECT 1;");
  const refusal = /1_first was changed after it was applied .* new migration/;
  await expect(migrate(url, folder)).rejects.toThrow(refusal);
  await expect(pendingMigrations(url, folder)).rejects.toThrow(refusal);
});

test("DB-05 refuses a database that a newer program migrated", async () => {
  const url = await emptyDatabase();
  const older = await makeFolder({ "1_first": FIRST });
  const newer = await mkdtemp(join(room, "newer-"));
  await cp(older, newer, { recursive: true });
  await addMigration(newer, "2_second", "SELECT 1;");
  await migrate(url, newer);
  await expect(migrate(url, older)).rejects.toThrow(/newer than this program: .* 2_second/);
});

test("DB-06 undoes everything when a migration fails, and says where it failed", async () => {
  const url = await emptyDatabase();
  const folder = await makeFolder({
    "1_first": FIRST,
    "2_bad": 'SELECT 1;\n\nINSERT INTO "nowhere" VALUES (1);\n',
  });
  await expect(migrate(url, folder)).rejects.toThrow(
    /is as it was before\. In 2_bad, line 3: relation "nowhere" does not exist/,
  );
  expect(await query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  await addMigration(folder, "2_bad", "SELECT 1;");
  expect(await migrate(url, folder)).toEqual(["1_first", "2_bad"]);
});

test("DB-07 refuses to go on after a migration that another tool left half done", async () => {
  const url = await emptyDatabase();
  const folder = await makeFolder({ "1_first": FIRST });
  await migrate(url, folder);
  await query(url, "UPDATE _prisma_migrations SET finished_at = NULL");
  await expect(migrate(url, folder)).rejects.toThrow(/1_first began at .* did not end/);
  await query(url, "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL");
  expect(await pendingMigrations(url, folder)).toEqual(["1_first"]);
});

test("DB-08 leaves nothing half done when it is killed in the middle", async () => {
  const url = await emptyDatabase();
  const folder = await makeFolder({ "1_first": FIRST, "2_slow": "SELECT pg_sleep(60);" });
  const killed = spawnDatabaseUser("migrate", url, folder);
  await vi.waitFor(
    async () => {
      const asleep = await query(url, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
      expect(asleep).toHaveLength(1);
    },
    { timeout: 20_000, interval: 100 },
  );
  await killed.kill();
  await addMigration(folder, "2_slow", "SELECT 1;");
  expect(await migrate(url, folder)).toEqual(["1_first", "2_slow"]);
});

test("DB-09 records migrations as Prisma's own tools do", async () => {
  const url = await emptyDatabase();
  await migrate(url, await makeFolder({ "1_first": FIRST }));
  const rows = await query(
    url,
    "SELECT migration_name, length(checksum) AS length, applied_steps_count, finished_at IS NOT NULL AS done FROM _prisma_migrations",
  );
  expect(rows).toEqual([{ migration_name: "1_first", length: 64, applied_steps_count: 1, done: true }]);
});

test("DB-10 says which setting is wrong where no PostgreSQL answers, and never the password", async () => {
  const failure = migrate("postgres://berth:hush@127.0.0.1:9/market").catch((error: Error) => error.message);
  expect(await failure).toMatch(/127\.0\.0\.1:9 .* as berth to market: .*DATABASE_URL/);
  expect(await failure).not.toContain("hush");
});

test("DB-11 refuses a copy of the program without its migrations", async () => {
  await expect(migrate(await emptyDatabase(), join(room, "absent"))).rejects.toThrow(/holds no migrations/);
  expect(await readFile(join(MIGRATIONS_FOLDER, "migration_lock.toml"), "utf8")).toContain("postgresql");
});

test("DB-12 makes by its migrations what prisma/schema.prisma says, and writes the difference where they differ", async () => {
  const url = await emptyDatabase();
  const schemaFile = "prisma/schema.prisma";
  expect(await diffMigrations(url, MIGRATIONS_FOLDER, schemaFile)).toBeNull();
  const changed = join(room, "changed.prisma");
  await writeFile(changed, `${await readFile(schemaFile, "utf8")}\nmodel Pier {\n  id String @id\n}\n`);
  expect(await diffMigrations(url, MIGRATIONS_FOLDER, changed)).toMatch(
    /^-- CreateTable\nCREATE TABLE "Pier"/,
  );
  expect(await query(url, "SELECT datname FROM pg_database WHERE datname LIKE 'berth_shadow%'")).toEqual([]);
});
