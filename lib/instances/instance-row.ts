import { type InstanceStatus, instanceStatuses } from "../contract/words";
import type { Prisma } from "../db/client";
import type { InstanceState } from "./status";

export type InstanceRow = Prisma.InstanceGetPayload<object>;

/** An instance under its lock, with the one instant, on the database's clock, at which the transaction's moves happen. */
export interface LockedInstance extends InstanceRow {
  at: string;
}

export function statusOf(row: { status: string }): InstanceStatus {
  const status = instanceStatuses.find((known) => known === row.status);
  if (!status) throw new Error("an instance of unknown status");
  return status;
}

export function stateOf(row: InstanceRow): InstanceState {
  return { status: statusOf(row), ran: row.initializedAt !== null };
}
