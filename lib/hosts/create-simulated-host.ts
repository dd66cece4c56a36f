import { findGpuModel, type GpuModel } from "../catalogue/gpu-models";
import { inTransaction, type Tx } from "../db/client";
import { notFound } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { ensureProvider } from "./ensure-provider";
import { checkHostPrice } from "./host-price";
import { hostIs, restateHosts } from "./restate-hosts";

export interface SimulatedHost {
  userId: string;
  /** Translit name; null: a machine without a GPU. */
  gpu: string | null;
  gpus: number;
  /** USD micro-units an hour; null: not rentable until its owner sets one. */
  priceMicro: bigint | null;
  ramGb?: number;
  diskGb?: number;
  city?: string;
  country?: string;
  region?: string;
}

/**
 * A host whose machine exists only in the simulated runtime, with its offer. Says so wherever it is shown.
 * @throws DomainError not_found for an unknown account or GPU · ValidationError for the price
 */
export async function createSimulatedHost(wish: SimulatedHost): Promise<{ hostId: string; offerId: string }> {
  const { hostId, offerId } = await inTransaction((tx) => addSimulatedHost(tx, wish));
  return { hostId, offerId };
}

/** The same within a transaction; `agentId` names an agent that nothing answers to. */
export async function addSimulatedHost(
  tx: Tx,
  wish: SimulatedHost,
): Promise<{ hostId: string; offerId: string; agentId: string }> {
  const model = wish.gpu === null ? null : findGpuModel(wish.gpu);
  if (wish.gpu !== null && !model) throw notFound("GPU model");
  if (wish.priceMicro !== null) checkHostPrice(wish.priceMicro);
  const providerId = await ensureProvider(tx, wish.userId);
  const hostId = newId("host");
  const offerId = newId("offer");
  const agentId = `simulated-${hostId.slice(-8)}`;
  await tx.host.create({
    data: {
      id: hostId,
      userId: wish.userId,
      runtime: "simulated",
      agentId,
      address: "203.0.113.10", // TEST-NET-3: nothing answers there
    },
  });
  await tx.offer.create({
    data: {
      id: offerId,
      hostId,
      providerId,
      ...machineOf(model, wish),
      city: wish.city ?? "Amsterdam",
      country: wish.country ?? "Netherlands",
      region: wish.region ?? "Europe",
      priceMicro: wish.priceMicro,
      diskPriceMicro: 100_000n,
      isThirdParty: false,
      runtime: "simulated",
      extra: { simulated: true },
    },
  });
  await restateHosts(tx, hostIs(hostId));
  return { hostId, offerId, agentId };
}

function machineOf(model: GpuModel | null, { gpus, ramGb, diskGb }: SimulatedHost) {
  const gpuAmount = model ? gpus : 0;
  const slots = Math.max(1, gpuAmount);
  return {
    gpuTranslitName: model?.translitName ?? null,
    gpuName: model?.name ?? "No GPU",
    gpuAmount,
    vramGb: model?.vramGb ?? null,
    ramGb: ramGb ?? 64 * slots,
    diskGb: diskGb ?? 1000,
    cpuName: "AMD EPYC 7543",
    vcpu: 16 * slots,
    cpuCores: 8 * slots,
    cpuFreqGhz: 2.8,
    memorySpeedGbps: model?.memoryBandwidthGbps ?? null,
    ethernetInMbps: 1000,
    ethernetOutMbps: 1000,
    capacityTflops: model ? Number((model.fp32Tflops * gpus).toFixed(1)) : null,
    maxCudaVersion: model?.vendor === "NVIDIA" ? 12.8 : null,
  };
}
