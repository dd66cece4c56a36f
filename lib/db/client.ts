import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "../env";
import { Prisma, PrismaClient } from "./generated/client";

export { Prisma };
export type Tx = Prisma.TransactionClient;
export type DbOrTx = PrismaClient | Tx;

// Next bundles this module apart from the server around it: one pool a process, not one a bundle.
const shared = globalThis as typeof globalThis & { berthDatabase?: { pool: pg.Pool; client: PrismaClient } };

function connect() {
  const { DATABASE_URL, DATABASE_POOL } = env();
  if (!DATABASE_URL) throw new Error("DATABASE_URL is not set");
  const pool = new pg.Pool({
    connectionString: DATABASE_URL,
    max: DATABASE_POOL,
    // Also bounds the wait for a free connection in a rush; a database that is away is the heartbeat's to find.
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: "berth",
  });
  pool.on("error", () => undefined); // a broken idle connection is replaced at the next query
  return { pool, client: new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" }) };
}

/** The database of this process, connected at the first query. */
export function db(): PrismaClient {
  shared.berthDatabase ??= connect();
  return shared.berthDatabase.client;
}

/** How many connections the pool has, for the metrics. */
export function countConnections(): { total: number; idle: number; waiting: number } {
  const pool = shared.berthDatabase?.pool;
  return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
}

/** Runs `work` in one READ COMMITTED transaction. A throw rolls it back. */
export function inTransaction<T>(work: (tx: Tx) => Promise<T>, timeoutMs = 30_000): Promise<T> {
  return db().$transaction(work, { maxWait: 10_000, timeout: timeoutMs });
}

/** Ends the pool; the next `db()` connects anew. */
export async function closeDatabase(): Promise<void> {
  const open = shared.berthDatabase;
  shared.berthDatabase = undefined;
  await open?.client.$disconnect();
  await open?.pool.end();
}
