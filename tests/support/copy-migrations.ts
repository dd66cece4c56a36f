import { cp, mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { MIGRATIONS_FOLDER } from "@/lib/db/migration-history";

/** A folder with those of the project's migrations, to make a database as an older version had it. */
export async function copyMigrations(isKept: (name: string) => boolean): Promise<string> {
  const folder = await mkdtemp(join(inject("scratchFolder"), "migrations-"));
  for (const name of await readdir(MIGRATIONS_FOLDER)) {
    if (name === "migration_lock.toml" || isKept(name)) {
      await cp(join(MIGRATIONS_FOLDER, name), join(folder, name), { recursive: true });
    }
  }
  return folder;
}
