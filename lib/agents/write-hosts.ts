import type { JoinBody } from "../contract/agent-protocol";
import { Prisma, type Tx } from "../db/client";
import { ensureProvider } from "../hosts/ensure-provider";
import { DomainError } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { decimalToMicro } from "../kernel/money";
import type { AgentCaller } from "./authenticate-agent";
import { findMachineGpu } from "./find-machine-gpu";

/** What an agent says when it joins, with the address that renters are told. */
export type Joining = JoinBody & { address: string };

interface KnownHost {
  slot: number;
  leased: boolean;
  isDeleted: boolean;
}

/**
 * Makes each slot of an agent's machine a host with an offer. A host that its owner deleted stays deleted; a slot that is
 * no more goes as if its owner had deleted it.
 * @throws DomainError not_found where its owner has deleted all of them · in_use where a rented machine would be split anew
 */
export async function writeHosts(tx: Tx, agent: AgentCaller, joining: Joining): Promise<void> {
  const { agentId } = agent;
  const known = await tx.$queryRaw<KnownHost[]>`
    SELECT h.slot, coalesce(o.leased, false) AS leased, h.deleted_at IS NOT NULL AS "isDeleted"
    FROM host h LEFT JOIN offer o ON o.host_id = h.id WHERE h.agent_id = ${agentId} ORDER BY h.id FOR NO KEY UPDATE OF h`;
  requireSameSplit(known, joining.slots);
  const isSurplus = Prisma.sql`h.agent_id = ${agentId} AND h.slot >= ${joining.slots}`;
  await tx.$executeRaw`UPDATE offer SET listed = false, updated_at = now() FROM host h WHERE h.id = offer.host_id AND ${isSurplus}`;
  await tx.$executeRaw`UPDATE host h SET deleted_at = coalesce(deleted_at, now()), updated_at = now() WHERE ${isSurplus}`;
  await addHosts(tx, agent, joining, known);
  await tx.$executeRaw`
    UPDATE host SET address = ${joining.address}, agent_port = ${joining.port}, fingerprint = ${joining.fingerprint}, updated_at = now(),
      last_report_at = coalesce(last_report_at, clock_timestamp()) WHERE agent_id = ${agentId} AND deleted_at IS NULL`;
  await tx.offer.updateMany({ where: { host: { agentId, deletedAt: null } }, data: hardwareOf(joining) });
  await priceUnpriced(tx, agentId, joining);
}

function requireSameSplit(known: KnownHost[], slots: number): void {
  const alive = known.filter(({ isDeleted }) => !isDeleted);
  if (known.length > 0 && alive.length === 0) {
    throw new DomainError(
      "not_found",
      "This machine was withdrawn from the market. Join it anew, with a new host token.",
    );
  }
  // Each slot's part of the machine would become another one under its renter.
  if (known.length === slots || !alive.some(({ leased }) => leased)) return;
  throw new DomainError(
    "in_use",
    "The machine is rented, so it cannot be split another way now. Start it with the same --split as before.",
  );
}

async function addHosts(tx: Tx, { agentId, userId }: AgentCaller, joining: Joining, known: KnownHost[]) {
  const taken = new Set(known.map(({ slot }) => slot));
  const fresh = Array.from({ length: joining.slots }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  const providerId = await ensureProvider(tx, userId);
  const hosts = fresh.map((slot) => ({ id: newId("host"), userId, runtime: "docker", agentId, slot }));
  await tx.host.createMany({ data: hosts });
  await tx.offer.createMany({
    data: hosts.map(({ id }) => ({
      ...hardwareOf(joining),
      id: newId("offer"),
      hostId: id,
      providerId,
      isThirdParty: false,
      runtime: "docker",
      live: false,
    })),
  });
}

/** What the command says is only the first price: later ones are set in the dashboard or over the API. */
async function priceUnpriced(tx: Tx, agentId: string, { price, diskPrice }: Joining): Promise<void> {
  const priceMicro = price === null ? null : decimalToMicro(price);
  const diskMicro = diskPrice === null ? null : decimalToMicro(diskPrice);
  await tx.$executeRaw`
    UPDATE offer SET price_micro = coalesce(price_micro, ${priceMicro}::bigint), disk_price_micro = coalesce(disk_price_micro, ${diskMicro}::bigint), updated_at = now()
    FROM host h WHERE h.id = offer.host_id AND h.agent_id = ${agentId} AND h.deleted_at IS NULL`;
}

/** One slot's part of the machine, as an offer. */
function hardwareOf({ machine, slots, place }: Joining) {
  const [first] = machine.gpus;
  const model = first ? findMachineGpu(first) : null;
  const gpuAmount = Math.floor(machine.gpus.length / slots);
  const part = (amount: number | null, step: number) =>
    amount === null ? null : Math.floor(amount / slots / step) * step;
  return {
    gpuTranslitName: model?.translitName ?? null,
    gpuName: model?.name ?? first?.name ?? "No GPU",
    gpuAmount,
    vramGb: model?.vramGb ?? first?.vramGb ?? null,
    ramGb: part(machine.ramGb, 0.5),
    diskGb: part(machine.diskGb, 1),
    cpuName: machine.cpuName,
    vcpu: part(machine.vcpu, 0.25),
    cpuCores: part(machine.cpuCores, 0.25),
    cpuFreqGhz: machine.cpuFreqGhz,
    memorySpeedGbps: model?.memoryBandwidthGbps ?? null,
    ethernetInMbps: machine.ethernetInMbps,
    ethernetOutMbps: machine.ethernetOutMbps,
    capacityTflops: model ? Number((model.fp32Tflops * gpuAmount).toFixed(1)) : null,
    maxCudaVersion: machine.maxCudaVersion,
    ...place,
  };
}
