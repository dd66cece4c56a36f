import { db, inTransaction, Prisma, type Tx } from "../db/client";
import { settle } from "./meter";

const SETTLING = 0x62_65_72_02;
const AT_ONCE = 1000;

/**
 * Settles every interval that has something to settle. Any worker, each minute, in portions, so that no balance is locked
 * for long.
 */
export async function settleUsage(): Promise<void> {
  const [clock] = await db().$queryRaw<{ began: string }[]>`SELECT clock_timestamp()::text AS began`;
  // Time goes on meanwhile: without an end, what was settled first would be due again before the last.
  const due = Prisma.sql`(m.ended_at IS NOT NULL OR m.settled_until < ${clock?.began}::timestamptz)`;
  let settled = AT_ONCE;
  while (settled === AT_ONCE) settled = (await asSettler((tx) => settle(tx, due, AT_ONCE))) ?? 0;
}

/**
 * Runs work that changes many balances, one at a time over all nodes: two would lock the same rows in different orders.
 * @returns undefined where another one is at it, who does the same
 */
export function asSettler<T>(work: (tx: Tx) => Promise<T>): Promise<T | undefined> {
  return inTransaction(async (tx) => {
    const [lock] = await tx.$queryRaw<
      { held: boolean }[]
    >`SELECT pg_try_advisory_xact_lock(${SETTLING}) AS held`;
    return lock?.held ? work(tx) : undefined;
  });
}
