import type { InstanceAction, InstancePhase, InstanceStatus } from "../contract/words";
import { DomainError } from "../kernel/errors";

/** What the rules below look at. `ran`: it has been running at least once. */
export interface InstanceState {
  status: InstanceStatus;
  ran: boolean;
}

type Wish = "start" | "pause" | "reboot";

interface Move {
  status: InstanceStatus;
  phase: InstancePhase;
}

/** Which wish moves which status where; what is not here is refused. */
const moves: Record<Wish, Partial<Record<InstanceStatus, Move>>> = {
  pause: { running: { status: "paused", phase: "pausing" } },
  start: { paused: { status: "pending", phase: "resuming" } },
  reboot: {
    running: { status: "rebooting", phase: "rebooting" },
    error: { status: "rebooting", phase: "rebooting" },
  },
};

/** Statuses in which a wish is granted already or on its way, so that repeating it is safe. */
const granted: Record<Wish, InstanceStatus[]> = {
  pause: ["paused"],
  start: ["running", "pending"],
  reboot: [],
};

const moving: InstanceStatus[] = ["pending", "rebooting"];

/**
 * Where a wish leads.
 * @returns null where there is nothing left to do
 * @throws DomainError action_in_progress, invalid_state
 */
export function nextStatus({ status, ran }: InstanceState, wish: Wish): Move | null {
  if (granted[wish].includes(status)) return null;
  if (moving.includes(status)) {
    throw new DomainError("action_in_progress", `The instance is ${status}. Wait until that has ended.`);
  }
  const move = status === "error" && !ran ? undefined : moves[wish][status];
  if (move) return move;
  const offered = actionsOf({ status, ran }).join(", ");
  throw new DomainError(
    "invalid_state",
    `An instance in status ${status} cannot ${wish}. It can: ${offered}.`,
  );
}

/** What may be called now. An error before it ever ran leaves nothing but to destroy it. */
export function actionsOf({ status, ran }: InstanceState): InstanceAction[] {
  if (status === "destroyed") return [];
  if (status === "error" && !ran) return ["destroy"];
  const keys: InstanceAction[] = ["attach_secret", "detach_secret"];
  const own: InstanceAction[] =
    status === "running"
      ? ["pause", "reboot"]
      : status === "paused"
        ? ["start"]
        : status === "error"
          ? ["reboot"]
          : [];
  return [...own, "destroy", ...keys];
}

/** The hourly rate that a status costs, for the balance's burn: pending and rebooting count as what they lead to. */
export function burnOf(
  status: InstanceStatus,
  instance: { ran: boolean; free: boolean; uptimeMicro: bigint; pauseMicro: bigint },
): bigint {
  if (instance.free || status === "destroyed") return 0n;
  if (status === "error") return instance.ran ? instance.pauseMicro : 0n;
  return status === "paused" ? instance.pauseMicro : instance.uptimeMicro;
}

/**
 * What the meter runs on in a status. By the hour, pending and rebooting cost nothing and an error that ran holds its
 * machine; a term that was paid ahead goes on in every status.
 */
export function meterOf(
  status: InstanceStatus,
  { ran, prepaid }: { ran: boolean; prepaid: boolean },
): "running" | "paused" | null {
  if (!ran || status === "destroyed") return null;
  if (status === "running") return "running";
  return prepaid || status === "paused" || status === "error" ? "paused" : null;
}
