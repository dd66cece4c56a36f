import type { z } from "zod";
import type { HostStatus, HostStatusReason, host } from "../contract/host";
import type { Rate } from "../kernel/money";
import { presentFullOffer } from "../market/presenter";
import type { HostView } from "./list-hosts";

/** Section 2.12. */
export function presentHost({ host: row, offer, counts }: HostView, rate: Rate): z.output<typeof host> {
  return {
    id: row.id,
    offer: presentFullOffer(offer, rate, counts),
    address: row.address,
    agent_port: row.agentPort,
    fingerprint: row.fingerprint,
    agent_id: row.agentId,
    status: row.status as HostStatus,
    status_reason: row.statusReason as HostStatusReason | null,
  };
}
