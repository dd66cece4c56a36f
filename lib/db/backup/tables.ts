import type { Queryable } from "../migration-history";
import { BackupError } from "./backup-error";
import { quoted } from "./connection";

/** What is copied of a table. Nothing is listed by hand: a new table or column is in the next backup by itself. */
export interface Table {
  name: string;
  /** In their order, without those that the database fills in itself: generated ones and transaction ids (xid8). */
  columns: string[];
  refersTo: string[];
  hasTriggers: boolean;
}

export interface AppliedMigration {
  name: string;
  checksum: string;
}

export interface Sequence {
  name: string;
  /** The number that it gives next. */
  next: string;
}

// A transaction id means nothing in another cluster: its default gives the one of the restore.
const TABLES = `
  SELECT c.relname AS name,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype
      ORDER BY a.attnum) AS columns,
    ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND r.oid <> c.oid) AS "refersTo",
    EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) AS "hasTriggers"
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname`;

const SEQUENCES = `
  SELECT c.relname AS name, s.seqincrement AS step FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname`;

/** The tables of schema public but for Prisma's own, each after those that its foreign keys refer to. */
export async function listTables(db: Queryable): Promise<Table[]> {
  const { rows } = await db.query<Table>(TABLES);
  return inOrderOfReference(rows);
}

function inOrderOfReference(tables: Table[]): Table[] {
  const known = new Set(tables.map(({ name }) => name));
  const ordered: Table[] = [];
  const placed = new Set<string>();
  let rest = tables;
  while (rest.length > 0) {
    const free = rest.filter(({ refersTo }) =>
      refersTo.every((name) => !known.has(name) || placed.has(name)),
    );
    if (free.length === 0) {
      throw new Error(
        `These tables refer to each other in a circle: ${rest.map(({ name }) => name).join(", ")}`,
      );
    }
    for (const table of free) placed.add(table.name);
    ordered.push(...free);
    rest = rest.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

/**
 * Where the sequences stand. They know no snapshot: read after one was taken, they are beyond every number in it.
 */
export async function readSequences(db: Queryable): Promise<Sequence[]> {
  const { rows } = await db.query<{ name: string; step: string }>(SEQUENCES);
  const sequences: Sequence[] = [];
  for (const { name, step } of rows) {
    const state = await db.query<{ next: string }>(
      `SELECT (last_value + CASE WHEN is_called THEN ${step} ELSE 0 END)::text AS next FROM ${quoted(name)}`,
    );
    sequences.push({ name, next: state.rows[0]?.next ?? "1" });
  }
  return sequences;
}

/** Whether migrations ever ran here. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ known: boolean }>(
    "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS known",
  );
  return rows[0]?.known === true;
}

/** The migrations that made this database what it is. Throws BackupError where one stopped half-way. */
export async function readApplied(db: Queryable): Promise<AppliedMigration[]> {
  const { rows } = await db.query<AppliedMigration & { done: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS done FROM public._prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const half = rows.find(({ done }) => !done);
  if (half)
    throw new BackupError(
      `The migration ${half.name} began and did not end. Start Berth: it says what to do.`,
    );
  return rows.map(({ name, checksum }) => ({ name, checksum }));
}

/** The ids of the keys that sealed something in this database, as `encryptionKeyId` gives them. */
export async function listSealingKeys(db: Queryable): Promise<string[]> {
  const columns = await db.query<{ table: string; column: string }>(
    `SELECT c.relname AS "table", quote_ident(a.attname) AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.atttypid = 'bytea'::regtype AND a.attname LIKE '%\\_sealed'`,
  );
  const ids = new Set<string>();
  for (const { table, column } of columns.rows) {
    // After the version's byte come the four of the key's id (lib/kernel/cipher.ts).
    const { rows } = await db.query<{ id: string }>(
      `SELECT DISTINCT encode(substring(${column} FROM 2 FOR 4), 'hex') AS id FROM ${quoted(table)} WHERE ${column} IS NOT NULL`,
    );
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}
