import { parse } from "csv-parse/sync";
import { resolveGpuModel } from "./gpu-names";
import {
  type CatalogueRow,
  createDraft,
  createKeyNumbering,
  MOST_GPUS_AN_OFFER,
  type OfferDraft,
  type ProviderDraft,
} from "./offer-draft";
import { parsePriceMicro } from "./parse-decimal";
import { findCountry } from "./places";
import { parseSkypilotGpuInfo } from "./skypilot-gpu-info";
import { type ByteSource, CatalogueFileError, isPlainText, readLines } from "./text-input";
import { thirdPartyProvider } from "./third-party-providers";

const COLUMNS = [
  "InstanceType",
  "AcceleratorName",
  "AcceleratorCount",
  "GpuInfo",
  "Price",
  "Region",
] as const;

type Column = (typeof COLUMNS)[number] | "vCPUs" | "MemoryGiB" | "SpotPrice";
type Cells = (column: Column) => string;

/** Vast's instance types carry the true GPU name and the filter's floor: "2x-RTX_4070S_Ti-32-65536". */
const VAST_TYPE = /^(\d{1,4})x-(.+)-(\d+)-(\d+)$/;
const SOCKET_IN_TYPE = /(?:^|[^a-z0-9])(sxm\d?|pcie)(?:$|[^a-z0-9])/i;
const LONGEST_CELL = 200;

function parseLine(text: string): string[] | null {
  try {
    const rows: string[][] = parse(text, { relax_column_count: true });
    return rows.length === 1 ? (rows[0] ?? null) : null;
  } catch {
    return null;
  }
}

function placeOf(region: string): Pick<OfferDraft, "city" | "country" | "region"> {
  const parts = region.split(",").map((part) => part.trim());
  const found = parts.length >= 3 ? findCountry(parts.at(-2) ?? "") : null;
  if (!found) return { city: null, country: null, region: null };
  const area = parts.slice(0, -2).join(", ");
  // The finest place given is kept as the city even where it is a state: a search for "Texas" must find it.
  return { city: area === "" || area === found.country ? null : area, ...found };
}

function numberOrNull(text: string): number | null {
  const value = Number(text);
  return text !== "" && Number.isFinite(value) && value > 0 ? value : null;
}

function vastNameIn(type: string, gpuAmount: number): string | null {
  const [, count, name] = VAST_TYPE.exec(type) ?? [];
  return name !== undefined && Number(count) === gpuAmount ? name : null;
}

function readRow(cell: Cells, provider: ProviderDraft): OfferDraft | { reason: string } {
  const type = cell("InstanceType");
  const place = cell("Region");
  if (type === "") return { reason: "InstanceType is empty" };
  if (!isPlainText(type, LONGEST_CELL) || !isPlainText(place, LONGEST_CELL))
    return { reason: `InstanceType and Region must be plain text of at most ${LONGEST_CELL} characters` };
  if (cell("AcceleratorName") === "") return { reason: "it has no GPU" };
  const gpuAmount = Number(cell("AcceleratorCount"));
  if (!Number.isInteger(gpuAmount) || gpuAmount < 1 || gpuAmount > MOST_GPUS_AN_OFFER)
    return { reason: `AcceleratorCount must be a whole number from 1 to ${MOST_GPUS_AN_OFFER}` };
  const priceMicro = parsePriceMicro(cell("Price"));
  if (priceMicro === null) return { reason: "Price is not an amount of USD above 0 and at most 10000" };
  const info = parseSkypilotGpuInfo(cell("GpuInfo"));
  if (!info) return { reason: "GpuInfo cannot be read" };
  if (info.names.length > 1) return { reason: "it mixes several GPU models" };

  const totalMib = info.totalMemoryMib;
  const vastName = vastNameIn(type, gpuAmount);
  const model = resolveGpuModel({
    name: vastName ?? cell("AcceleratorName"),
    vramGb: totalMib === null ? null : totalMib / gpuAmount / 1024,
    socket: vastName === null ? (SOCKET_IN_TYPE.exec(type)?.[1] ?? null) : null,
  });
  if ("reason" in model) return model;
  const { city, country, region } = placeOf(place);
  return createDraft(model, {
    catalogueKey: [type, totalMib ?? "", place].join("|"),
    provider,
    gpuAmount,
    // Vast's vCPUs and MemoryGiB are the floor of the query that made the file, not what the machine has.
    ramGb: vastName === null ? numberOrNull(cell("MemoryGiB")) : null,
    vcpu: vastName === null ? numberOrNull(cell("vCPUs")) : null,
    city,
    country,
    region,
    url: provider.url,
    priceMicro,
    thirdPartyId: provider.translitName,
    cloudId: type,
    extra: { upstream_region: place },
  });
}

function readHeader(text: string): Map<string, number> {
  const names = parseLine(text)?.map((name) => name.trim()) ?? [];
  const missing = COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0)
    throw new CatalogueFileError(1, `this is not a SkyPilot catalogue: no column ${missing.join(", ")}.`);
  return new Map(names.map((name, index) => [name, index]));
}

/**
 * Reads a SkyPilot catalogue (`vms.csv`), one row a line. `cloud` is the cloud it lists ("vast"), which the rows do
 * not say; see guessSkypilotCloud. Bad rows are yielded with a reason; throws CatalogueFileError when the file as a
 * whole is not such a catalogue.
 */
export async function* readSkypilotCsv(
  source: ByteSource,
  options: { cloud: string | null },
): AsyncGenerator<CatalogueRow> {
  const fallback: ProviderDraft = {
    translitName: "skypilot",
    name: "SkyPilot catalogue",
    country: null,
    url: null,
  };
  const provider = (options.cloud === null ? null : thirdPartyProvider(options.cloud)) ?? fallback;
  const numberKey = createKeyNumbering();
  let header: Map<string, number> | null = null;
  for await (const { line, text } of readLines(source)) {
    if (header === null) {
      header = readHeader(text);
      continue;
    }
    if (text.trim() === "") continue;
    const values = parseLine(text);
    if (values === null || values.length !== header.size) {
      yield { line, reason: `it is not ${header.size} comma-separated values` };
      continue;
    }
    const positions = header;
    const row = readRow((column) => values[positions.get(column) ?? -1]?.trim() ?? "", provider);
    if ("reason" in row) yield { line, reason: row.reason };
    else {
      row.catalogueKey = numberKey(row.catalogueKey);
      yield { line, draft: row };
    }
  }
  if (header === null) throw new CatalogueFileError(1, "the file is empty.");
}
