import pg from "pg";
import { BackupError } from "./backup-error";

const CONNECT_TIMEOUT_MS = 5_000;

// Values look the same in every cluster, however its roles and databases are set; a long COPY is not cut off.
const SETTINGS = [
  "SET LOCAL datestyle = 'ISO, YMD'",
  "SET LOCAL intervalstyle = 'postgres'",
  "SET LOCAL timezone = 'UTC'",
  "SET LOCAL extra_float_digits = 1",
  "SET LOCAL bytea_output = 'hex'",
  "SET LOCAL statement_timeout = 0",
  "SET LOCAL lock_timeout = 0",
  "SET LOCAL idle_in_transaction_session_timeout = 0",
].join(";");

/** Runs `work` on a connection of its own, which is ended whatever happens, and with it what was not committed. */
export async function onConnection<T>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on("error", () => undefined); // a broken connection fails the query that uses it
  try {
    await client.connect().catch((error: Error) => {
      throw new BackupError(
        `PostgreSQL let us not in: ${error.message}. Correct DATABASE_URL, or start that server.`,
      );
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Begins a transaction whose text of a value is the same everywhere. It takes no snapshot yet. */
export async function beginTransaction(client: pg.Client, mode: string): Promise<void> {
  await client.query(`BEGIN TRANSACTION ISOLATION LEVEL ${mode}`);
  await client.query(SETTINGS);
}

/** A table's or sequence's name for SQL. */
export function quoted(name: string): string {
  return `public.${pg.escapeIdentifier(name)}`;
}

export function quotedList(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

/** COPY's table and columns: without columns it would take those that the database fills in by itself, too. */
export function copyTarget({ name, columns }: { name: string; columns: readonly string[] }): string {
  return `${quoted(name)} (${columns.map(pg.escapeIdentifier).join(", ")})`;
}
