import { db, Prisma, type Tx } from "../db/client";

/** Of each instance, the newest. */
export const LINES_KEPT = 10_000;
export const DAYS_KEPT = 7;
const HOURS_KEPT_OF_DESTROYED = 24;
const ROWS_AT_ONCE = 5_000;
const INSTANCES_AT_ONCE = 100;
/** So that a clean-up ends; the next one goes on. */
const MOST_STATEMENTS = 200;

const kinds = {
  logs: { table: Prisma.sql`instance_log`, time: Prisma.sql`created_at` },
  metrics: { table: Prisma.sql`instance_metric`, time: Prisma.sql`at` },
};
type Kind = (typeof kinds)[keyof typeof kinds];

/**
 * Deletes lines beyond the newest 10,000 of an instance, lines and points older than 7 days, and what a destroyed instance
 * left after 24 hours. The newest line of one that lives stays however old it is: it tells what was received already.
 * Some rows a statement, each a transaction; may be killed, and may run on several workers at once.
 */
export async function forgetOldTelemetry(): Promise<void> {
  for (const kind of Object.values(kinds)) {
    const destroyed = await listDestroyed(kind);
    if (destroyed.length > 0) {
      await untilFew(() => removeSome(kind, Prisma.sql`old.instance_id = ANY(${destroyed})`));
    }
    await untilFew(() => removeSome(kind, Prisma.sql`${isOld(kind)} ORDER BY old.${kind.time}`));
  }
  const chatty = await listWithLogs();
  for (let start = 0; start < chatty.length; start += INSTANCES_AT_ONCE) {
    await untilFew(() => trimLogs(db(), chatty.slice(start, start + INSTANCES_AT_ONCE)));
  }
}

async function untilFew(remove: () => Promise<number>): Promise<void> {
  let left = MOST_STATEMENTS;
  while (left-- > 0 && (await remove()) >= ROWS_AT_ONCE);
}

/**
 * Deletes lines beyond the newest 10,000 of each instance, some at a time.
 * @returns how many
 */
export async function trimLogs(tx: Pick<Tx, "$executeRaw">, instanceIds: readonly string[]): Promise<number> {
  if (instanceIds.length === 0) return 0;
  return tx.$executeRaw`
    DELETE FROM instance_log WHERE ctid = ANY(ARRAY(
      SELECT old.ctid FROM unnest(${[...instanceIds]}::text[]) AS asked(id) CROSS JOIN LATERAL (
        SELECT o.id FROM instance_log o WHERE o.instance_id = asked.id ORDER BY o.id DESC OFFSET ${LINES_KEPT}::int LIMIT 1
      ) last CROSS JOIN LATERAL (
        SELECT o.ctid FROM instance_log o WHERE o.instance_id = asked.id AND o.id <= last.id
        ORDER BY o.id LIMIT ${ROWS_AT_ONCE}::int FOR UPDATE SKIP LOCKED
      ) old LIMIT ${ROWS_AT_ONCE}::int))`;
}

/** By now(), which does not change while a statement runs and so bounds an index; clock_timestamp() would read all rows. */
function isOld({ table, time }: Kind): Prisma.Sql {
  const isPast = Prisma.sql`old.${time} < now() - make_interval(days => ${DAYS_KEPT}::int)`;
  if (table !== kinds.logs.table) return isPast;
  return Prisma.sql`${isPast} AND EXISTS (
    SELECT FROM instance_log newer WHERE newer.instance_id = old.instance_id AND newer.id > old.id)`;
}

/** Two workers at once take different rows. */
function removeSome({ table }: Kind, which: Prisma.Sql): Promise<number> {
  return db().$executeRaw`
    DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
      SELECT old.ctid FROM ${table} old WHERE ${which} LIMIT ${ROWS_AT_ONCE}::int FOR UPDATE OF old SKIP LOCKED))`;
}

/** Of which instances there is something, by as many steps through the index: reading all rows would take long. */
function withRows({ table }: Kind): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE found AS (
      SELECT min(instance_id) AS id FROM ${table}
      UNION ALL
      SELECT (SELECT min(instance_id) FROM ${table} WHERE instance_id > found.id) FROM found WHERE found.id IS NOT NULL
    )`;
}

async function listDestroyed(kind: Kind): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    ${withRows(kind)} SELECT i.id FROM found JOIN instance i ON i.id = found.id
    WHERE i.status = 'destroyed' AND i.destroyed_at < now() - make_interval(hours => ${HOURS_KEPT_OF_DESTROYED}::int)`;
  return rows.map(({ id }) => id);
}

async function listWithLogs(): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    ${withRows(kinds.logs)} SELECT id FROM found WHERE id IS NOT NULL`;
  return rows.map(({ id }) => id);
}
