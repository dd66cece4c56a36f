import type { HostStatus, HostStatusReason } from "../contract/host";

export interface HostState {
  status: HostStatus;
  statusReason: HostStatusReason | null;
}

/** Whether the host's offer counts as live: only an active host's machine is there to be rented. */
export function isOfferLive({ status }: HostState): boolean {
  return status === "active";
}

/** A new host has no price and is inactive for that reason. */
export function stateOfNewHost(isPriced: boolean): HostState {
  return isPriced
    ? { status: "active", statusReason: null }
    : { status: "inactive", statusReason: "price_not_set" };
}

/** A price wakes a host that waited for nothing else; it neither heals nor unbans one. */
export function stateOncePriced(state: HostState): HostState {
  return state.statusReason === "price_not_set" ? stateOfNewHost(true) : state;
}

/** What the owner's own delete leaves. */
export const withdrawn: HostState = { status: "inactive", statusReason: "withdrawn" };
