import type { z } from "zod";
import type { ReservePeriod } from "../billing/reserve-periods";
import type { instance } from "../contract/instance";
import type { templateSnapshot } from "../contract/template";
import { instancePhases } from "../contract/words";
import { convertMicro, microToNumber, type Rate } from "../kernel/money";
import { type GpuCounts, presentFullOffer } from "../market/presenter";
import { statusOf } from "./instance-row";
import type { InstanceView } from "./list-instances";
import { JUPYTER_PORT, type OfferSnapshot, type TemplateSnapshot } from "./snapshot";
import { actionsOf } from "./status";

/** Section 2.11, with the additions. Amounts are in the rate's currency. */
export function presentInstance(
  row: InstanceView,
  rate: Rate,
  counts: ReadonlyMap<string | null, GpuCounts>,
): z.output<typeof instance> {
  const offer = offerOf(row);
  const template = templateOf(row);
  const status = statusOf(row);
  const reachable = status === "running" || status === "rebooting";
  const load = (percent: number) => (status === "running" ? percent : 0); // the last one seen says nothing of a stopped one
  const price = (micro: bigint) => microToNumber(convertMicro(micro, rate));
  return {
    id: row.id,
    user_id: row.userId,
    name: row.name,
    created_at: row.createdAt.toISOString(),
    actual_offer: presentFullOffer(offer, rate, counts.get(offer.gpuTranslitName)),
    actual_template: presentSnapshot(template),
    hoster_id: offer.hosterId,
    host_id: offer.hostId,
    third_party_id: offer.thirdPartyId,
    cloud_id: offer.cloudId,
    total_cost: price(row.totalCostMicro),
    total_uptime: row.totalUptime,
    storage_gb: row.storageGb,
    initialized_at: row.initializedAt?.toISOString() ?? null,
    prepaid_until: row.prepaidUntil?.toISOString() ?? null,
    is_prepaid: row.prepaidUntil !== null,
    reserve_period: row.reservePeriod as ReservePeriod,
    auto_renew: row.autoRenew,
    uptime_price: price(row.uptimeMicro),
    pause_price: price(row.pauseMicro),
    gpu_util: load(row.gpuUtil),
    cpu_util: load(row.cpuUtil),
    ram_util: load(row.ramUtil),
    mem_util: load(row.memUtil),
    inet_in: Number(row.inetIn),
    inet_out: Number(row.inetOut),
    status,
    phase: instancePhases.find((known) => known === row.phase) ?? "scheduling",
    message: row.message,
    actions: actionsOf({ status, ran: row.initializedAt !== null }),
    logs: row.logs,
    ports: row.ports as Record<string, string>,
    address: row.address,
    ssh_enabled: template.useSsh,
    ssh_port: template.useSsh ? row.sshPort : null,
    ssh_host: template.useSsh ? row.sshHost : null,
    ssh_username: template.useSsh ? template.sshUsername : null,
    ssh_password: null,
    fingerprint: template.useSsh ? row.fingerprint : null,
    ssh_keys: row.keys,
    ui_available: template.useJupyter,
    ui_url: reachable ? row.uiUrl : null,
    tunnel_host: null,
    tunnel_token: null,
    red_flagged: row.flaggedAt !== null,
    label: row.label,
    deployment_data: null,
    deployment_type: null,
    is_raw: !template.useSsh && !template.useJupyter,
  };
}

/** The frozen offer: `rentOffer` alone writes the column. */
export function offerOf(row: { offerSnapshot: unknown }): OfferSnapshot {
  return row.offerSnapshot as OfferSnapshot;
}

export function templateOf(row: { templateSnapshot: unknown }): TemplateSnapshot {
  return row.templateSnapshot as TemplateSnapshot;
}

function presentSnapshot(template: TemplateSnapshot): z.output<typeof templateSnapshot> {
  return {
    id: template.id,
    image: template.image,
    created_at: template.createdAt,
    user_id: template.userId,
    name: template.name,
    description: template.description,
    readme: template.readme,
    image_tag: template.imageTag,
    docker_private: { registry: template.registry, login: template.login, password: null },
    env_variables: template.variables,
    command: template.command,
    ports: template.ports,
    ssh_enabled: template.useSsh,
    ssh_username: template.sshUsername,
    ui_available: template.useJupyter,
    ui_path: template.useJupyter ? (template.useJupyterLab ? "/lab" : "/tree") : null,
    ui_port: template.useJupyter ? JUPYTER_PORT : null,
    min_storage_gb: template.recommendedDiskSpace,
    gpus: [],
    url: template.url,
    picture: template.picture,
    is_private: template.isPrivate,
    template_version: template.version,
  };
}
