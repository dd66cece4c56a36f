import { inTransaction, Prisma, type Tx } from "../db/client";
import { newId } from "../kernel/ids";
import { findGpuModel } from "./gpu-models";
import type { CatalogueRow, OfferDraft, ProviderDraft } from "./offer-draft";

const BATCH = 500;
const MOST_SKIPPED_KEPT = 1000;
/** A million offers take some minutes. */
const IMPORT_TIMEOUT_MS = 3_600_000;

type Row = CatalogueRow | OfferDraft;

export interface ImportResult {
  created: number;
  updated: number;
  unchanged: number;
  /** Offers of this source that the catalogue no longer has. */
  withdrawn: number;
  skippedCount: number;
  /** The first thousand of them. */
  skipped: { line: number; reason: string }[];
}

export interface ImportJob {
  /** What this catalogue is; a later import of the same source updates and withdraws. */
  source: string;
  drafts: Iterable<Row> | AsyncIterable<Row>;
  runtime: "none" | "simulated";
  onProgress?: (rows: number, result: ImportResult) => void;
  /** The last thing in the transaction; a throw undoes everything. */
  finish?: (tx: Tx, result: ImportResult) => Promise<void>;
}

/**
 * Brings the offers of one source to what a catalogue says, in one transaction: a catalogue that breaks in the middle
 * changes nothing. Instances keep the price and the machine that they were rented with.
 */
export function importDrafts(job: ImportJob): Promise<ImportResult> {
  return inTransaction((tx) => runImport(tx, job), IMPORT_TIMEOUT_MS);
}

async function runImport(tx: Tx, job: ImportJob): Promise<ImportResult> {
  const result: ImportResult = {
    created: 0,
    updated: 0,
    unchanged: 0,
    withdrawn: 0,
    skippedCount: 0,
    skipped: [],
  };
  const providers = new Map<string, string | null>();
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${job.source}, 0))`;
  await tx.$executeRaw`CREATE TEMPORARY TABLE catalogue_seen (catalogue_key text) ON COMMIT DROP`;
  let batch: { line: number; draft: OfferDraft }[] = [];
  let rows = 0;
  const flush = async () => {
    await writeBatch(tx, job, batch, providers, result);
    batch = [];
    job.onProgress?.(rows, result);
  };
  for await (const row of job.drafts) {
    rows++;
    if ("reason" in row) skip(result, row.line, row.reason);
    else batch.push("draft" in row ? row : { line: rows, draft: row });
    if (batch.length === BATCH) await flush();
  }
  await flush();
  result.withdrawn = await tx.$executeRaw`
    UPDATE offer o SET listed = false, updated_at = now()
    WHERE o.catalogue_source = ${job.source} AND o.listed
      AND NOT EXISTS (SELECT FROM catalogue_seen s WHERE s.catalogue_key = o.catalogue_key)`;
  await job.finish?.(tx, result);
  return result;
}

function skip(result: ImportResult, line: number, reason: string): void {
  result.skippedCount++;
  if (result.skipped.length < MOST_SKIPPED_KEPT) result.skipped.push({ line, reason });
}

async function writeBatch(
  tx: Tx,
  job: ImportJob,
  batch: { line: number; draft: OfferDraft }[],
  providers: Map<string, string | null>,
  result: ImportResult,
): Promise<void> {
  await upsertProviders(
    tx,
    batch.map(({ draft }) => draft.provider),
    providers,
  );
  const records = batch.flatMap(({ line, draft }) => {
    const providerId = providers.get(draft.provider.translitName);
    if (providerId) return [toRecord(draft, providerId, job.runtime)];
    skip(result, line, "Its provider's name belongs to a host owner of this market.");
    return [];
  });
  if (records.length === 0) return;
  const written = await upsertOffers(tx, job, JSON.stringify(records));
  const created = written.filter((row) => row.created).length;
  result.created += created;
  result.updated += written.length - created;
  result.unchanged += records.length - written.length;
}

/** Ids of the providers by translit name; null for one that a host owner has, which no catalogue may take over. */
async function upsertProviders(
  tx: Tx,
  drafts: ProviderDraft[],
  known: Map<string, string | null>,
): Promise<void> {
  const fresh = new Map(
    drafts.filter(({ translitName }) => !known.has(translitName)).map((draft) => [draft.translitName, draft]),
  );
  if (fresh.size === 0) return;
  const records = [...fresh.values()].map((draft) => ({ id: newId("prov"), ...draft }));
  await tx.$executeRaw`
    INSERT INTO provider (id, name, translit_name, country, url, is_third_party)
    SELECT r.id, r.name, r."translitName", r.country, r.url, true
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      AS r(id text, name text, "translitName" text, country text, url text)
    ON CONFLICT (translit_name) DO UPDATE SET name = excluded.name, country = excluded.country, url = excluded.url
    WHERE provider.owner_id IS NULL`;
  const rows = await tx.provider.findMany({
    where: { translitName: { in: [...fresh.keys()] } },
    select: { id: true, translitName: true, ownerId: true },
  });
  for (const row of rows) known.set(row.translitName, row.ownerId === null ? row.id : null);
}

function toRecord(draft: OfferDraft, providerId: string, runtime: ImportJob["runtime"]) {
  return {
    ...draft,
    id: newId("offer"),
    providerId,
    gpuName: findGpuModel(draft.gpuTranslitName)?.name ?? draft.gpuTranslitName,
    url: draft.url ?? draft.provider.url,
    priceMicro: draft.priceMicro.toString(),
    diskPriceMicro: draft.diskPriceMicro?.toString() ?? null,
    extra: runtime === "simulated" ? { ...draft.extra, simulated: true } : draft.extra,
  };
}

/** Column, type and the record's name of everything that a catalogue says of an offer. */
const columns = Prisma.sql`provider_id, gpu_translit_name, gpu_name, gpu_amount, vram_gb, ram_gb, disk_gb, cpu_name, vcpu, cpu_cores,
  cpu_freq_ghz, memory_speed_gbps, ethernet_in_mbps, ethernet_out_mbps, capacity_tflops, max_cuda_version, city, country,
  region, url, price_micro, disk_price_micro, third_party_id, cloud_id, extra, live, runtime, listed`;

function upsertOffers(tx: Tx, { source, runtime }: ImportJob, json: string): Promise<{ created: boolean }[]> {
  return tx.$queryRaw<{ created: boolean }[]>`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS r(
        id text, "catalogueKey" text, "providerId" text, "gpuTranslitName" text, "gpuName" text, "gpuAmount" int,
        "vramGb" float8, "ramGb" float8, "diskGb" float8, "cpuName" text, vcpu float8, "cpuCores" float8,
        "cpuFreqGhz" float8, "memorySpeedGbps" float8, "ethernetInMbps" float8, "ethernetOutMbps" float8,
        "capacityTflops" float8, "maxCudaVersion" float8, city text, country text, region text, url text,
        "priceMicro" bigint, "diskPriceMicro" bigint, "thirdPartyId" text, "cloudId" text, extra jsonb, "inStock" boolean)
    ), seen AS (
      INSERT INTO catalogue_seen SELECT "catalogueKey" FROM given
    )
    INSERT INTO offer AS o (id, catalogue_source, catalogue_key, is_third_party, ${columns})
    SELECT id, ${source}, "catalogueKey", true, "providerId", "gpuTranslitName", "gpuName", "gpuAmount", "vramGb",
      "ramGb", "diskGb", "cpuName", vcpu, "cpuCores", "cpuFreqGhz", "memorySpeedGbps", "ethernetInMbps",
      "ethernetOutMbps", "capacityTflops", "maxCudaVersion", city, country, region, url, "priceMicro", "diskPriceMicro",
      "thirdPartyId", "cloudId", extra, "inStock", ${runtime}, true
    FROM given
    ON CONFLICT (catalogue_source, catalogue_key) DO UPDATE SET
      (${columns}, updated_at) = (SELECT
        excluded.provider_id, excluded.gpu_translit_name, excluded.gpu_name, excluded.gpu_amount, excluded.vram_gb,
        excluded.ram_gb, excluded.disk_gb, excluded.cpu_name, excluded.vcpu, excluded.cpu_cores, excluded.cpu_freq_ghz,
        excluded.memory_speed_gbps, excluded.ethernet_in_mbps, excluded.ethernet_out_mbps, excluded.capacity_tflops,
        excluded.max_cuda_version, excluded.city, excluded.country, excluded.region, excluded.url, excluded.price_micro,
        excluded.disk_price_micro, excluded.third_party_id, excluded.cloud_id, excluded.extra, excluded.live,
        excluded.runtime, excluded.listed, now())
    WHERE (o.provider_id, o.gpu_translit_name, o.gpu_name, o.gpu_amount, o.vram_gb, o.ram_gb, o.disk_gb, o.cpu_name,
        o.vcpu, o.cpu_cores, o.cpu_freq_ghz, o.memory_speed_gbps, o.ethernet_in_mbps, o.ethernet_out_mbps,
        o.capacity_tflops, o.max_cuda_version, o.city, o.country, o.region, o.url, o.price_micro, o.disk_price_micro,
        o.third_party_id, o.cloud_id, o.extra, o.live, o.runtime, o.listed)
      IS DISTINCT FROM (excluded.provider_id, excluded.gpu_translit_name, excluded.gpu_name, excluded.gpu_amount,
        excluded.vram_gb, excluded.ram_gb, excluded.disk_gb, excluded.cpu_name, excluded.vcpu, excluded.cpu_cores,
        excluded.cpu_freq_ghz, excluded.memory_speed_gbps, excluded.ethernet_in_mbps, excluded.ethernet_out_mbps,
        excluded.capacity_tflops, excluded.max_cuda_version, excluded.city, excluded.country, excluded.region,
        excluded.url, excluded.price_micro, excluded.disk_price_micro, excluded.third_party_id, excluded.cloud_id,
        excluded.extra, excluded.live, excluded.runtime, excluded.listed)
    RETURNING (xmax = 0) AS created`;
}
