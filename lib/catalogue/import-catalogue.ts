import type { CatalogueFormat } from "./detect-format";
import { type ImportResult, importDrafts } from "./import-drafts";
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
    onProgress?: (rows: number) => void;
  },
): Promise<ImportResult> {
  const { source, runtime, onProgress, fileName, format } = options;
  return importDrafts({
    source,
    runtime,
    drafts: readCatalogue(bytes, { fileName, ...(format ? { format } : {}) }),
    ...(onProgress ? { onProgress } : {}),
  });
}
