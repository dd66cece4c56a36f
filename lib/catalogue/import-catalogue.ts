import type { CatalogueFormat } from "./detect-format";
import { type ImportJob, type ImportResult, importDrafts } from "./import-drafts";
import { readCatalogue } from "./read-catalogue";
import type { ByteSource } from "./text-input";

/**
 * Imports a catalogue file. `source` names the catalogue: the file's name without its folder where nothing else is said.
 * @throws CatalogueFileError where the file as a whole cannot be read; nothing was changed then
 */
export function importCatalogue(
  bytes: ByteSource,
  options: {
    source: string;
    fileName: string;
    format?: CatalogueFormat;
    runtime: "none" | "simulated";
    onProgress?: ImportJob["onProgress"];
    finish?: ImportJob["finish"];
  },
): Promise<ImportResult> {
  const { source, runtime, onProgress, finish, fileName, format } = options;
  return importDrafts({
    source,
    runtime,
    drafts: readCatalogue(bytes, { fileName, ...(format ? { format } : {}) }),
    ...(onProgress ? { onProgress } : {}),
    ...(finish ? { finish } : {}),
  });
}
