// Writes the SQL that turns what prisma/migrations make into what prisma/schema.prisma says, as a new migration to edit:
// npm run db:diff -- NAME
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chdirToProject, fail } from "./project.mjs";

const name = process.argv[2];
if (!name || !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) {
  fail("Name the change in small letters: npm run db:diff -- add_host_region");
}
chdirToProject();
const { register } = await import("tsx/esm/api");
register();
const { acquireDatabase } = await import("../lib/db/embedded.ts");
const { openSchemaEngine } = await import("../lib/db/schema-engine.ts");
const { MIGRATIONS_FOLDER, readMigrations } = await import("../lib/db/migration-history.ts");
const { asMigrationList } = await import("../lib/db/migrator.ts");
const { Pool } = (await import("pg")).default;

const scratch = mkdtempSync(join(tmpdir(), "berth-diff-"));
const database = await acquireDatabase(scratch, { durable: false });
const pool = new Pool({ connectionString: database.url, max: 1 });
try {
  const { engine } = await openSchemaEngine(pool);
  const schema = { path: "schema.prisma", content: readFileSync("prisma/schema.prisma", "utf8") };
  const past = asMigrationList(await readMigrations(MIGRATIONS_FOLDER), MIGRATIONS_FOLDER);
  const { stdout } = await engine.diff({
    from: { tag: "migrations", ...past },
    to: { tag: "schemaDatamodel", files: [schema] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  engine.free();
  writeMigration(stdout ?? "");
} finally {
  await pool.end();
  await database.release();
  rmSync(scratch, { recursive: true, force: true });
}

/** @param {string} sql */
function writeMigration(sql) {
  if (sql.trim() === "" || sql.includes("This is an empty migration")) {
    console.log("prisma/migrations already make what prisma/schema.prisma says. Nothing was written.");
    return;
  }
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = join(MIGRATIONS_FOLDER, `${stamp}_${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "migration.sql"), sql);
  console.log(
    `Wrote prisma/migrations/${stamp}_${name}/migration.sql. Read it, and take out a DROP of what Prisma cannot`,
  );
  console.log("say (partial indexes, CHECK, EXCLUDE): those are written by hand and stay.");
}
