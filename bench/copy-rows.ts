import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from } from "pg-copy-streams";

/** So many rows are sent at once. */
const AT_ONCE = 1_000;

export type Cell = string | number | boolean | null;

/** Fills a table by COPY; no text may hold a tab, a line's end or a backslash. */
export async function copyRows(
  client: pg.Client,
  into: { table: string; columns: readonly string[] },
  rows: Iterable<readonly Cell[]>,
): Promise<void> {
  const copy = client.query(from(`COPY ${into.table} (${into.columns.join(", ")}) FROM STDIN`));
  await pipeline(Readable.from(inChunks(rows)), copy);
}

function* inChunks(rows: Iterable<readonly Cell[]>): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(row.map((cell) => (cell === null ? "\\N" : String(cell))).join("\t"));
    if (lines.length < AT_ONCE) continue;
    yield `${lines.join("\n")}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join("\n")}\n`;
}
