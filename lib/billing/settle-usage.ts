import { inTransaction, Prisma, type Tx } from "../db/client";
import { settle } from "./meter";

const SETTLING = 0x62_65_72_02;
const AT_ONCE = 1000;

/**
 * Settles every interval that has something to settle. Any worker, each minute, in portions, so that no balance is locked
 * for long.
 */
export async function settleUsage(): Promise<void> {
  let settled = AT_ONCE;
  while (settled === AT_ONCE) {
    settled = (await asSettler((tx) => settle(tx, Prisma.sql`true`, AT_ONCE))) ?? 0;
  }
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
