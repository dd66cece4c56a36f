import { inTransaction, type Tx } from "../db/client";
import type { LockedInstance } from "../instances/instance-row";
import { lockInstance } from "../instances/lock-instance";
import { DomainError } from "../kernel/errors";

export type OnError = (error: unknown, instanceId: string) => void;

export const rethrow: OnError = (error) => {
  throw error;
};

/**
 * Works on each instance under its lock, in a transaction of its own, so that one which fails stands in nobody's way. One
 * that was destroyed meanwhile is passed over.
 */
export async function eachInstance(
  ids: string[],
  onError: OnError,
  work: (tx: Tx, row: LockedInstance) => Promise<void>,
): Promise<void> {
  for (const id of ids) {
    try {
      await inTransaction(async (tx) => work(tx, await lockInstance(tx, null, id)));
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "not_found")) onError(error, id);
    }
  }
}
