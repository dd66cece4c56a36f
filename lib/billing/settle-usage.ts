import { inTransaction, Prisma } from "../db/client";
import { settle } from "./meter";

/** One settling at a time: two would lock the same balances in different orders. */
const SETTLING = 0x62_65_72_02;

/** Settles every open interval. Any worker, each minute; one that finds another at it leaves it to that one. */
export function settleUsage(): Promise<number> {
  return inTransaction(async (tx) => {
    const [lock] = await tx.$queryRaw<
      { held: boolean }[]
    >`SELECT pg_try_advisory_xact_lock(${SETTLING}) AS held`;
    return lock?.held ? settle(tx, Prisma.sql`true`) : 0;
  });
}
