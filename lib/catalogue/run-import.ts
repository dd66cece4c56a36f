import { catalogueFormats } from "../contract/words";
import { db, type Tx } from "../db/client";
import { isDatabaseUnavailable } from "../db/unavailable";
import { importCatalogue } from "./import-catalogue";
import type { ImportResult } from "./import-drafts";
import type { ImportRow } from "./list-imports";
import type { ReceivedFile } from "./receive-file";
import { CatalogueFileError } from "./text-input";

const NOTE_EVERY_MS = 1_000;
const MOST_REASONS = 100;

/** How far it is. */
interface Progress {
  bytes: number;
  rows: number;
  result?: ImportResult;
}

/** Another process's look has taken this import for dead, or the process ends: nothing of it may take effect. */
class ImportEnded extends Error {}

/**
 * Imports a received file and writes down how far it is and how it ended; never throws. That it is done commits together
 * with what it changed.
 */
export async function runImport(row: ImportRow, file: ReceivedFile, stopping?: AbortSignal): Promise<void> {
  const progress: Progress = { bytes: 0, rows: 0 };
  const timer = setInterval(() => void note(row.id, progress).catch(() => undefined), NOTE_EVERY_MS);
  const format = catalogueFormats.find((known) => known === row.format);
  try {
    await importCatalogue(countBytes(file, progress, stopping), {
      source: row.source,
      fileName: row.fileName,
      runtime: row.runtime === "simulated" ? "simulated" : "none",
      ...(format && { format }),
      onProgress(rows, result) {
        Object.assign(progress, { rows, result });
      },
      finish: (tx, result) => finish(tx, row.id, { ...progress, result }),
    });
  } catch (error) {
    await fail(row.id, explain(error), progress).catch(() => undefined); // then the next look finds it lost
  } finally {
    clearInterval(timer);
    await file.close();
  }
}

async function* countBytes(file: ReceivedFile, progress: Progress, stopping: AbortSignal | undefined) {
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
    if (stopping?.aborted) throw new ImportEnded("The server stopped. Import the file again.");
    progress.bytes += chunk.length;
    yield chunk;
  }
}

function countsOf({ bytes, rows, result }: Progress) {
  return {
    readBytes: bytes,
    rows,
    added: result?.created ?? 0,
    updated: result?.updated ?? 0,
    unchanged: result?.unchanged ?? 0,
    gone: result?.withdrawn ?? 0,
    skipped: result?.skippedCount ?? 0,
  };
}

async function note(id: string, progress: Progress): Promise<void> {
  await db().catalogueImport.updateMany({
    where: { id, status: "running" },
    data: countsOf(progress),
  });
  await db().$executeRaw`
    UPDATE catalogue_import SET heartbeat_at = clock_timestamp() WHERE id = ${id} AND status = 'running'`;
}

async function finish(tx: Tx, id: string, progress: Progress & { result: ImportResult }): Promise<void> {
  const done = await tx.$executeRaw`
    UPDATE catalogue_import SET status = 'done', ended_at = clock_timestamp() WHERE id = ${id} AND status = 'running'`;
  if (done === 0) throw new ImportEnded("It was taken for lost.");
  const reasons = progress.result.skipped.slice(0, MOST_REASONS);
  await tx.catalogueImport.update({ where: { id }, data: { ...countsOf(progress), reasons } });
}

async function fail(id: string, why: string, progress: Progress): Promise<void> {
  await db().$executeRaw`
    UPDATE catalogue_import SET status = 'failed', error = ${why}, ended_at = clock_timestamp(),
      read_bytes = ${progress.bytes}, rows = ${progress.rows}
    WHERE id = ${id} AND status = 'running'`;
}

function explain(error: unknown): string {
  if (error instanceof CatalogueFileError || error instanceof ImportEnded) return error.message;
  if (isDatabaseUnavailable(error)) return "The database did not answer. Import the file again.";
  console.error(error);
  return "Something went wrong on our side. Nothing was changed; the server's log says what it was.";
}
