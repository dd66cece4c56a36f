import { readFile } from "node:fs/promises";
import pg from "pg";
import { readMigrations } from "./migration-history";
import { asMigrationList, NO_FILTER } from "./migrator";
import { openSchemaEngine } from "./schema-engine";

/**
 * The SQL that turns what the migrations of a folder make into what a Prisma schema says; null where they agree. CHECK, EXCLUDE
 * and triggers are no part of either. Needs a PostgreSQL in which the user of `url` may make a database of its own.
 */
export async function diffMigrations(
  url: string,
  folder: string,
  schemaFile: string,
): Promise<string | null> {
  const past = asMigrationList(await readMigrations(folder), folder);
  const schema = { path: "schema.prisma", content: await readFile(schemaFile, "utf8") };
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => undefined); // a broken connection fails the query that uses it
  try {
    const { engine } = await openSchemaEngine(pool);
    const { stdout } = await engine
      .diff({
        from: { tag: "migrations", ...past },
        to: { tag: "schemaDatamodel", files: [schema] },
        script: true,
        exitCode: null,
        filters: NO_FILTER,
      })
      .finally(() => engine.free());
    const sql = stdout ?? "";
    return sql.trim() === "" || sql.startsWith("-- This is an empty migration") ? null : sql;
  } finally {
    await pool.end();
  }
}
