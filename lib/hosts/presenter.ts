import type { z } from "zod";
import type { host, hostOverview } from "../contract/host";
import type { HostStatus, HostStatusReason } from "../contract/words";
import { convertMicro, microToNumber, type Rate } from "../kernel/money";
import { presentFullOffer } from "../market/presenter";
import type { HostOverview } from "./get-host-overview";
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

export function presentOverview(overview: HostOverview, rate: Rate): z.output<typeof hostOverview> {
  const { position, utilisation } = overview;
  return {
    host_id: overview.hostId,
    created_at: overview.createdAt.toISOString(),
    last_report_at: overview.lastReportAt?.toISOString() ?? null,
    verified: overview.verified,
    rented: overview.rented,
    problem: problemOf(overview),
    failures: overview.failures,
    utilisation: utilisation.map(({ day, rented, total }) => ({
      day,
      seconds_rented: rented,
      seconds_total: total,
    })),
    price_position: {
      like_offers: position.offers,
      cheaper: position.cheaper,
      median: toAmount(position.median, rate),
      low: toAmount(position.low, rate),
      currency: rate.currency,
    },
  };
}

function problemOf({ statusReason, failures, reachProblem }: HostOverview): string | null {
  if (statusReason === "self_test_failed") return failures[0]?.detail ?? null;
  return statusReason === "not_reachable" ? reachProblem : null;
}

function toAmount(usdMicro: bigint | null, rate: Rate): number | null {
  return usdMicro === null ? null : microToNumber(convertMicro(usdMicro, rate));
}
