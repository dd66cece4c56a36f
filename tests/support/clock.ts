import { beforeAll } from "vitest";
import { closeDatabase, db, Prisma } from "@/lib/db/client";

/**
 * Gives the test file's database a clock that stands until a test moves it: functions of its own stand before
 * PostgreSQL's `now()` and `clock_timestamp()`, so that hours pass at once and every amount can be known to the micro-unit.
 * Call it after useTestDatabase().
 */
export function useClock(): { pass(seconds: number): Promise<void>; nowMicroseconds(): Promise<bigint> } {
  beforeAll(async () => {
    for (const statement of CLOCK) await db().$executeRaw(statement);
    await closeDatabase(); // a search path holds for new connections
  });
  return {
    async pass(seconds) {
      await db().$executeRaw`UPDATE clock.time SET at = at + make_interval(secs => ${seconds}::float8)`;
    },
    async nowMicroseconds() {
      const [row] = await db().$queryRaw<{ at: bigint }[]>`
        SELECT (extract(epoch FROM at) * 1000000)::bigint AS at FROM clock.time`;
      if (!row) throw new Error("no clock");
      return row.at;
    },
  };
}

const CLOCK = [
  Prisma.sql`CREATE SCHEMA clock`,
  Prisma.sql`CREATE TABLE clock.time AS SELECT timestamptz '2026-03-01T10:00:00Z' AS at`,
  Prisma.sql`CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM clock.time'`,
  Prisma.sql`CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM clock.time'`,
  Prisma.sql`
    DO $$
    DECLARE
      has record;
    BEGIN
      FOR has IN SELECT table_name, column_name, column_default FROM information_schema.columns
        WHERE table_schema = 'public' AND column_default ~ '(CURRENT_TIMESTAMP|now[(][)]|clock_timestamp[(][)])'
      LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET DEFAULT %s', has.table_name, has.column_name,
          regexp_replace(has.column_default, '(CURRENT_TIMESTAMP|now[(][)]|clock_timestamp[(][)])', 'clock.now()'));
      END LOOP;
      EXECUTE format('ALTER DATABASE %I SET search_path = clock, public, pg_catalog', current_database());
    END $$`,
];
