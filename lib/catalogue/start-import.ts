import { basename } from "node:path";
import { db, Prisma } from "../db/client";
import { DomainError, invalidField } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { type CatalogueFormat, DETECTION_BYTES, detectFormat } from "./detect-format";
import { failLostImports, type ImportRow } from "./list-imports";
import { type ReceivedFile, receiveFile } from "./receive-file";
import { runImport } from "./run-import";
import { guessSkypilotCloud } from "./third-party-providers";

interface NewImport {
  /** The file's name, with its path where that is known. */
  name: string;
  source?: string | undefined;
  format?: CatalogueFormat | undefined;
  runtime: "none" | "simulated";
}

/** The folder's cloud with the file's name: SkyPilot calls the file of every cloud `vms.csv`. */
export function sourceOf(file: string): string {
  const cloud = guessSkypilotCloud(file);
  return cloud ? `${cloud}/${basename(file)}` : basename(file);
}

/**
 * Takes a catalogue file whole and begins to import it; `getImport` says how far it is.
 * @param stopping ends the import when the process is about to end
 * @throws ValidationError for a file of no known format · DomainError action_in_progress while one of this source runs
 */
export async function startImport(
  bytes: AsyncIterable<Uint8Array>,
  { name, source = sourceOf(name), runtime, format }: NewImport,
  stopping?: AbortSignal,
): Promise<ImportRow> {
  await failLostImports();
  // Before the file is taken; the index behind it decides.
  if (await db().catalogueImport.findFirst({ where: { source, status: "running" } })) throw runsAlready();
  const { file, size } = await receiveFile(bytes);
  try {
    const row = await addRow({
      source,
      fileName: name,
      format: format && size > 0 ? format : await readFormat(file),
      runtime,
      sizeBytes: size,
    });
    void runImport(row, file, stopping);
    return row;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readFormat(file: ReceivedFile): Promise<CatalogueFormat> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(DETECTION_BYTES), 0, DETECTION_BYTES, 0);
  const format = detectFormat(buffer.subarray(0, bytesRead));
  if (typeof format === "object") throw invalidField(["body"], format.reason, "format");
  return format;
}

async function addRow(data: Omit<Prisma.CatalogueImportCreateInput, "id">): Promise<ImportRow> {
  try {
    return await db().catalogueImport.create({ data: { id: newId("imp"), ...data } });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002") throw runsAlready();
    throw error;
  }
}

function runsAlready(): DomainError {
  return new DomainError(
    "action_in_progress",
    "An import of this source runs already. Wait until it has ended, or name another source.",
  );
}
