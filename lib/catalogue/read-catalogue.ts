import { type CatalogueFormat, DETECTION_BYTES, detectFormat } from "./detect-format";
import type { CatalogueRow } from "./offer-draft";
import { readBerthJsonl } from "./read-berth-jsonl";
import { readPrimeJson } from "./read-prime-json";
import { readSkypilotCsv } from "./read-skypilot-csv";
import { type ByteSource, CatalogueFileError } from "./text-input";
import { guessSkypilotCloud } from "./third-party-providers";

/** Without `format` it is detected; `fileName` (a path) tells which cloud a SkyPilot file lists. */
export type CatalogueOptions = { format?: CatalogueFormat; fileName?: string };

/** Bytes that were read ahead, then the rest of the source, which is closed when the reader stops early. */
async function* replay(ahead: Uint8Array[], rest: AsyncIterator<Uint8Array | string>) {
  try {
    yield* ahead;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function readHead(rest: AsyncIterator<Uint8Array | string>): Promise<Uint8Array[]> {
  const ahead: Uint8Array[] = [];
  for (let size = 0; size < DETECTION_BYTES; ) {
    const next = await rest.next();
    if (next.done) break;
    const bytes = Buffer.from(next.value);
    ahead.push(bytes);
    size += bytes.length;
  }
  return ahead;
}

/**
 * Reads a catalogue file of any known format, row by row. Bad rows come with a reason; throws CatalogueFileError when
 * the file as a whole cannot be read, and then nothing that was not seen may be withdrawn.
 */
export async function* readCatalogue(
  source: ByteSource,
  options: CatalogueOptions = {},
): AsyncGenerator<CatalogueRow> {
  const rest = source[Symbol.asyncIterator]();
  const ahead = await readHead(rest);
  const format = options.format ?? detectFormat(Buffer.concat(ahead).subarray(0, DETECTION_BYTES));
  if (typeof format === "object") {
    await rest.return?.();
    throw new CatalogueFileError(1, format.reason);
  }
  const bytes = replay(ahead, rest);
  if (format === "prime-json") yield* readPrimeJson(bytes);
  else if (format === "berth-jsonl") yield* readBerthJsonl(bytes);
  else yield* readSkypilotCsv(bytes, { cloud: guessSkypilotCloud(options.fileName ?? "") });
}
