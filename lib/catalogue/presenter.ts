import type { z } from "zod";
import type { catalogueImport } from "../contract/operator";
import type { ImportRow } from "./list-imports";

type Presented = z.output<typeof catalogueImport>;

export function presentImport(row: ImportRow): Presented {
  return {
    id: row.id,
    name: row.fileName,
    source: row.source,
    format: row.format as Presented["format"],
    runtime: row.runtime as Presented["runtime"],
    status: row.status as Presented["status"],
    size_bytes: row.sizeBytes,
    read_bytes: row.readBytes,
    counts: {
      read: row.rows,
      added: row.added,
      updated: row.updated,
      unchanged: row.unchanged,
      gone: row.gone,
      skipped: row.skipped,
    },
    skipped: row.reasons as Presented["skipped"], // runImport alone writes the column
    error: row.error,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  };
}
