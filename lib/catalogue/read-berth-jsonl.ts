import { readBerthLine } from "./berth-line";
import type { CatalogueRow } from "./offer-draft";
import { parseJson } from "./parse-json";
import { type ByteSource, readLines } from "./text-input";

/**
 * Reads Berth's own JSON Lines (docs/catalogue-format.md). Bad lines are yielded with a reason, a repeated
 * `catalogue_key` too: the first one counts. Throws CatalogueFileError when the file is not text with one offer a line.
 */
export async function* readBerthJsonl(source: ByteSource): AsyncGenerator<CatalogueRow> {
  const seen = new Set<string>();
  for await (const { line, text } of readLines(source)) {
    if (text.trim() === "") continue;
    const parsed = parseJson(text);
    const row = "reason" in parsed ? parsed : readBerthLine(parsed.value);
    if ("reason" in row) {
      yield { line, reason: row.reason };
    } else if (seen.has(row.catalogueKey)) {
      yield { line, reason: "its catalogue_key was used on an earlier line" };
    } else {
      seen.add(row.catalogueKey);
      yield { line, draft: row };
    }
  }
}
