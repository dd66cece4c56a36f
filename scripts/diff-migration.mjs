// Writes the SQL that turns what prisma/migrations make into what prisma/schema.prisma says, as a new migration to edit:
// npm run db:diff -- NAME
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
const { diffMigrations } = await import("../lib/db/diff-migrations.ts");
const { acquireDatabase } = await import("../lib/db/embedded.ts");
const { MIGRATIONS_FOLDER } = await import("../lib/db/migration-history.ts");

const scratch = mkdtempSync(join(tmpdir(), "berth-diff-"));
const database = await acquireDatabase(scratch, { durable: false });
try {
  const sql = await diffMigrations(database.url, MIGRATIONS_FOLDER, "prisma/schema.prisma");
  if (sql === null)
    console.log("prisma/migrations already make what prisma/schema.prisma says: nothing to write.");
  else writeMigration(sql);
} finally {
  await database.release();
  rmSync(scratch, { recursive: true, force: true });
}

/** @param {string} sql */
function writeMigration(sql) {
  const folder = `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`;
  mkdirSync(join(MIGRATIONS_FOLDER, folder));
  writeFileSync(join(MIGRATIONS_FOLDER, folder, "migration.sql"), sql);
  console.log(`Wrote prisma/migrations/${folder}/migration.sql.`);
  console.log("Read it, and add by hand what Prisma cannot say: CHECK, EXCLUDE, partial indexes, triggers.");
}
