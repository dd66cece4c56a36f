import type { Prisma } from "../db/client";

/** What to include when an offer is read for `toOfferView`. */
export const offerViewInclude = {
  provider: true,
  host: { select: { verifiedAt: true } },
} satisfies Prisma.OfferInclude;

type OfferRow = Prisma.OfferGetPayload<{ include: typeof offerViewInclude }>;

/**
 * An offer with its provider as instances freeze it and answers show it: plain JSON, money as decimal strings of
 * USD micro-units, times as ISO 8601.
 */
export type OfferView = ReturnType<typeof toOfferView>;

export function toOfferView(row: OfferRow) {
  const { provider } = row;
  return {
    id: row.id,
    hostId: row.hostId,
    hosterId: provider.ownerId,
    gpuName: row.gpuName,
    gpuTranslitName: row.gpuTranslitName,
    gpuAmount: row.gpuAmount,
    vramGb: row.vramGb,
    ramGb: row.ramGb,
    diskGb: row.diskGb,
    cpuName: row.cpuName,
    vcpu: row.vcpu,
    cpuCores: row.cpuCores,
    cpuFreqGhz: row.cpuFreqGhz,
    memorySpeedGbps: row.memorySpeedGbps,
    ethernetInMbps: row.ethernetInMbps,
    ethernetOutMbps: row.ethernetOutMbps,
    capacityTflops: row.capacityTflops,
    maxCudaVersion: row.maxCudaVersion,
    city: row.city,
    country: row.country,
    region: row.region,
    url: row.url,
    score: row.score,
    priceMicro: row.priceMicro === null ? null : row.priceMicro.toString(),
    diskPriceMicro: row.diskPriceMicro === null ? null : row.diskPriceMicro.toString(),
    isThirdParty: row.isThirdParty,
    runtime: row.runtime,
    thirdPartyId: row.thirdPartyId,
    cloudId: row.cloudId,
    extra: row.extra,
    availableUntil: row.availableUntil?.toISOString() ?? null,
    inStock: row.inStock,
    rentable: row.rentable,
    hostVerified: row.host?.verifiedAt != null,
    updatedAt: row.updatedAt.toISOString(),
    provider: {
      id: provider.id,
      name: provider.name,
      translitName: provider.translitName,
      country: provider.country,
      logo: provider.logo,
      metaTitle: provider.metaTitle,
      metaDescription: provider.metaDescription,
      useVpn: provider.useVpn,
    },
  };
}
