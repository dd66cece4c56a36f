import { stringify } from "csv-stringify/sync";
import { whileDatabaseAnswers } from "../db/heartbeat";
import type { Ctx } from "../kernel/ctx";
import type { Rate } from "../kernel/money";
import { type Entry, type EntryFilters, readEntries } from "./entries";
import { presentEntry } from "./presenter";

const ROWS_AT_ONCE = 2000;

const columns = [
  "id",
  "at",
  "day",
  "kind",
  "account",
  "amount",
  "amount_usd",
  "currency",
  "rate",
  "instance_id",
  "host_id",
  "reference",
] as const satisfies (keyof ReturnType<typeof presentEntry>)[];

interface Export {
  currency: Rate["currency"];
  start: number;
  /** null: all there are. */
  limit: number | null;
}

/**
 * One's own entries as CSV with a header line, in portions as the client reads them: each begins behind the last row of the
 * one before, so that what comes in meanwhile neither repeats nor shifts a row. The first is read before this returns.
 */
export async function exportEntries(
  ctx: Ctx,
  filters: EntryFilters,
  { currency, start, limit }: Export,
): Promise<ReadableStream<Uint8Array>> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  const read = async (from: { start: number; after?: Entry | undefined }) => {
    const wanted = Math.min(left, ROWS_AT_ONCE);
    const rows =
      wanted === 0
        ? []
        : await whileDatabaseAnswers(() => readEntries(ctx, filters, { currency, limit: wanted, ...from }));
    left = rows.length < wanted ? 0 : left - rows.length;
    return rows;
  };
  let next: Entry[] | null = await read({ start });
  let header = true;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const rows: Entry[] = next ?? [];
      next = null;
      const records = rows.map((row) => presentEntry(row, currency));
      const text = stringify(records, { header, columns: [...columns], escape_formulas: true });
      header = false;
      if (text) controller.enqueue(Buffer.from(text));
      next = left > 0 ? await read({ start: 0, after: rows.at(-1) }) : [];
      if (next.length === 0) controller.close();
    },
  });
}
