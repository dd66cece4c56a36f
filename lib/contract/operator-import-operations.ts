import type { z } from "zod";
import { envelope, listEnvelope } from "./common";
import { defineOperation } from "./operation";
import {
  catalogueImport,
  createImportQuery,
  importParams,
  LARGEST_IMPORT,
  listImportsQuery,
} from "./operator";

const importExample = {
  id: "imp_2bX6cRtL9vHm",
  name: "catalogs/v8/vast/vms.csv",
  source: "vast/vms.csv",
  format: "skypilot-csv",
  runtime: "none",
  status: "running",
  size_bytes: 4_194_304,
  read_bytes: 1_048_576,
  counts: { read: 5000, added: 120, updated: 30, unchanged: 4849, gone: 0, skipped: 1 },
  skipped: [],
  error: null,
  started_at: "2026-03-01T12:00:00.000Z",
  ended_at: null,
} satisfies z.output<typeof catalogueImport>;

const one = { ok: true, data: importExample };

/** Catalogues that an operator sends. */
export const operatorImportOperations = {
  createImport: defineOperation({
    id: "createImport",
    method: "POST",
    path: "/v0/operator/imports",
    tag: "Operator",
    summary: "Import a catalogue file",
    description:
      "The body is the file: SkyPilot's CSV, Prime Intellect's JSON, or Berth's JSON Lines. It answers when the file has arrived, " +
      "which may take 30 seconds; then it is read, and `GET` says how far it is. All of it takes effect at once, or nothing. One " +
      "import of a source at a time. An Idempotency-Key does not compare the files.",
    scope: "operator:write",
    role: "operator",
    query: createImportQuery,
    upload: {
      types: [
        "application/octet-stream",
        "text/plain",
        "text/csv",
        "application/json",
        "application/x-ndjson",
        "application/jsonl",
      ],
      largest: LARGEST_IMPORT,
    },
    response: envelope(catalogueImport),
    errors: ["action_in_progress", "request_timeout"],
    example: { query: { name: importExample.name }, response: one },
  }),

  listImports: defineOperation({
    id: "listImports",
    method: "GET",
    path: "/v0/operator/imports",
    tag: "Operator",
    summary: "List the imports, the newest first",
    scope: "operator:read",
    role: "operator",
    query: listImportsQuery,
    response: listEnvelope(catalogueImport),
    errors: [],
    example: { response: { ok: true, data: [importExample], total_items: 1 } },
  }),

  getImport: defineOperation({
    id: "getImport",
    method: "GET",
    path: "/v0/operator/imports/{import_id}",
    tag: "Operator",
    summary: "Return an import, and how far it is",
    scope: "operator:read",
    role: "operator",
    params: importParams,
    response: envelope(catalogueImport),
    errors: ["not_found"],
    example: { params: { import_id: importExample.id }, response: one },
  }),
};
