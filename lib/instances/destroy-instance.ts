import { refundPrepaid } from "../billing/refund-prepaid";
import { inTransaction } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { lockInstance } from "./instance-row";
import { moveInstance } from "./move-instance";

/**
 * Ends an instance for good and destroys its data. It leaves the list and stops costing at once; its offer is free
 * again when the runtime has said that the container is gone.
 * @throws DomainError not_found
 */
export function destroyInstance(ctx: Ctx, instanceId: string): Promise<void> {
  return destroy(ctx.userId, instanceId);
}

/** An operator's destroy, of any account's instance; the unused part of a prepaid term goes back whole. */
export function destroyAnyInstance(instanceId: string): Promise<void> {
  return destroy(null, instanceId);
}

function destroy(userId: string | null, instanceId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const row = await lockInstance(tx, userId, instanceId);
    await moveInstance(tx, row, {
      status: "destroyed",
      phase: "stopping",
      message: "destroying",
      wanted: "destroyed",
      event: "instance.destroyed",
    });
    await refundPrepaid(tx, row, userId === null ? "platform" : "renter");
  });
}
