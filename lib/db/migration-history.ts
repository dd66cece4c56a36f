import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PROJECT_ROOT } from "../kernel/project-root";
import { StartupError } from "./startup-error";

/** The project's own migrations. */
export const MIGRATIONS_FOLDER = join(PROJECT_ROOT, "prisma", "migrations");

const APPLIED = `
  SELECT migration_name AS name, checksum, finished_at IS NULL AS failed, started_at AS "startedAt"
  FROM public._prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`;

export interface Migration {
  /** The folder's name; migrations are applied in its order. */
  name: string;
  script: string;
}

interface AppliedMigration {
  name: string;
  checksum: string;
  failed: boolean;
  startedAt: Date;
}

/** What runs a query: a `pg` Client or Pool. */
export interface Queryable {
  query<Row extends object>(sql: string): Promise<{ rows: Row[] }>;
}

/** The migrations of a folder in the order of their application. Throws StartupError where there are none. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const read = async (name: string) => ({
    name,
    script: await readFile(join(folder, name, "migration.sql"), "utf8"),
  });
  if (names.length === 0) {
    throw new StartupError(`${folder} holds no migrations. This copy of Berth is not whole: get it again.`);
  }
  return Promise.all(names.sort().map(read));
}

/**
 * The names of the migrations that the database still lacks. Throws StartupError where the database's history is not one
 * that these migrations continue: a newer program's, a changed script, or a migration that failed half-way.
 */
export async function findPending(db: Queryable, migrations: Migration[]): Promise<string[]> {
  const known = await db.query<{ known: boolean }>(
    "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS known",
  );
  const applied = known.rows[0]?.known ? (await db.query<AppliedMigration>(APPLIED)).rows : [];
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const past of applied) refuseUnlessSame(past, byName.get(past.name));
  const done = new Set(applied.map((past) => past.name));
  return migrations.filter((migration) => !done.has(migration.name)).map((migration) => migration.name);
}

function refuseUnlessSame(past: AppliedMigration, migration: Migration | undefined): void {
  if (past.failed) {
    throw new StartupError(
      `The migration ${past.name} began at ${past.startedAt.toISOString()} and did not end, so the database may be half changed. Restore a backup, or make the database right by hand and then run: UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${past.name}' AND finished_at IS NULL`,
    );
  }
  if (!migration) {
    throw new StartupError(
      `The database is newer than this program: it has the migration ${past.name}, which this Berth does not know. Start the newer Berth, or restore a backup from before the upgrade.`,
    );
  }
  if (!checksumsOf(migration.script).includes(past.checksum)) {
    throw new StartupError(
      `The migration ${past.name} was changed after it was applied to this database. Put prisma/migrations/${past.name}/migration.sql back as it was, and make the change in a new migration (npm run db:diff -- NAME).`,
    );
  }
}

/** As Prisma counts: SHA-256 of the script; a checkout that changed the line ends is not a change. */
function checksumsOf(script: string): string[] {
  const unix = script.replaceAll("\r\n", "\n");
  return [script, unix, unix.replaceAll("\n", "\r\n")].map((text) =>
    createHash("sha256").update(text).digest("hex"),
  );
}
