import type { ControlAction } from "../contract/instance";
import { inTransaction, type Tx } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { DomainError } from "../kernel/errors";
import { stateOf } from "./instance-row";
import { lockInstance } from "./lock-instance";
import { moveInstance } from "./move-instance";
import { nextStatus } from "./status";

/**
 * Starts or pauses. Without an action a running instance pauses and a paused one starts. Running stops costing at the
 * instant of the pause, so the charge and the move commit together.
 * @throws DomainError not_found, invalid_state, action_in_progress, insufficient_funds
 */
export function controlInstance(ctx: Ctx, instanceId: string, action?: ControlAction): Promise<void> {
  return inTransaction(async (tx) => {
    const row = await lockInstance(tx, ctx.userId, instanceId);
    const wish = action ?? (row.status === "paused" ? "start" : "pause");
    const next = nextStatus(stateOf(row), wish);
    if (!next) return;
    await moveInstance(tx, row, {
      ...next,
      message: wish === "start" ? "starting again" : "pausing",
      wanted: wish === "start" ? "running" : "paused",
      reboot: wish === "start", // a run of its own: what was seen of the one before the pause says nothing of it
      event: wish === "start" ? "instance.started" : "instance.paused",
    });
    if (wish === "start" && row.prepaidUntil === null) await requireAnHour(tx, row.userId);
  });
}

/**
 * Starting needs what renting needs: an hour of everything that then runs. Called after the move, which locks meter and
 * balance in the order in which settling does; before it, the two could wait for each other.
 * @throws DomainError insufficient_funds, which undoes the move
 */
export async function requireAnHour(tx: Tx, userId: string): Promise<void> {
  const [enough] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM balance WHERE user_id = ${userId} AND available_micro >= burn_micro`;
  if (enough) return;
  throw new DomainError(
    "insufficient_funds",
    "The balance does not cover an hour of everything that would run. Add money, or destroy what you do not need.",
  );
}
