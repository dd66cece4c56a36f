import type { z } from "zod";
import type { operatorHost } from "../contract/operator";
import type { HostStatus, HostStatusReason } from "../contract/words";
import type { AnyHost } from "./list-any-hosts";

export function presentAnyHost(row: AnyHost): z.output<typeof operatorHost> {
  return {
    id: row.id,
    owner: row.user,
    gpu_name: row.offer?.gpuName ?? null,
    gpu_amount: row.offer?.gpuAmount ?? null,
    address: row.address,
    status: row.status as HostStatus,
    status_reason: row.statusReason as HostStatusReason | null,
    verified_at: row.verifiedAt?.toISOString() ?? null,
    banned_at: row.bannedAt?.toISOString() ?? null,
    rented: row.offer?.leased ?? false,
    simulated: row.runtime === "simulated",
    last_report_at: row.lastReportAt?.toISOString() ?? null,
    problem: row.problem,
  };
}
