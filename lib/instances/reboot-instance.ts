import { inTransaction } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { requireAnHour } from "./control-instance";
import { stateOf } from "./instance-row";
import { lockInstance } from "./lock-instance";
import { moveInstance } from "./move-instance";
import { nextStatus } from "./status";

/**
 * Kills all tasks and boots again; the disk stays. Costs nothing until it runs again, for two minutes at most.
 * @throws DomainError not_found, invalid_state, action_in_progress, insufficient_funds
 */
export function rebootInstance(ctx: Ctx, instanceId: string): Promise<void> {
  return inTransaction(async (tx) => {
    const row = await lockInstance(tx, ctx.userId, instanceId);
    const next = nextStatus(stateOf(row), "reboot");
    if (!next) return;
    await moveInstance(tx, row, {
      ...next,
      message: "rebooting",
      wanted: "running",
      reboot: true,
      event: "instance.rebooted",
    });
    if (row.status === "error" && row.prepaidUntil === null) await requireAnHour(tx, row.userId);
  });
}
