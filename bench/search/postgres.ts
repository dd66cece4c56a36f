import pg from "pg";
import type { OfferFacts } from "../../lib/market/index/offer-facts";
import { copyRows } from "../copy-rows";
import { startPostgres } from "../postgres";
import type { Engine, Search } from "./engine";
import { sqlColumns, sqlOfBody, tableSql } from "./sql-of-body";

/** The machine is its alone, and a search is done before it is worth compiling. */
const settings = {
  shared_buffers: "2GB",
  work_mem: "64MB",
  maintenance_work_mem: "1GB",
  effective_cache_size: "8GB",
  random_page_cost: "1.1",
  max_wal_size: "8GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  jit: "off",
};

/** What orders most searches, what narrows them the most, and every other order. More of them made no search faster. */
const indexes = [
  "(price, id)",
  "(gpu, price, id)",
  "(provider_id, price, id)",
  "(city)",
  "(country)",
  "(region)",
  ...["score", "vram", "ram", "disk", "vcpu", "cpu_cores", "cpu_freq", "memory_speed"].map(orderedBy),
  ...["ethernet_in", "ethernet_out", "capacity", "gpu_amount", "price_per_gpu"].map(orderedBy),
];

function orderedBy(column: string): string {
  return `(${column}, id)`;
}

/** A PostgreSQL of its own with one narrow table in memory, asked over two connections. */
export async function openEngine(offers: Iterable<OfferFacts>, folder: string): Promise<Engine> {
  const server = await startPostgres(folder, settings);
  const [first, second] = [new pg.Client(server.url), new pg.Client(server.url)];
  await Promise.all([first.connect(), second.connect()]);
  await first.query(tableSql);
  const rows = function* () {
    for (const offer of offers) yield sqlColumns.map(([, , of]) => of(offer));
  };
  await copyRows(first, { table: "offer", columns: sqlColumns.map(([name]) => name) }, rows());
  for (const index of indexes) await first.query(`CREATE INDEX ON offer ${index}`);
  await first.query("VACUUM ANALYZE offer");
  const { rows: sizes } = await first.query<{ bytes: number }>(
    "SELECT pg_total_relation_size('offer')::float8 AS bytes",
  );
  return {
    name: `PostgreSQL 18, ${indexes.length} indexes`,
    searches: makeSearches(first, second),
    bytes: sizes[0]?.bytes ?? 0,
    async close() {
      await Promise.all([first.end(), second.end()]);
      await server.stop();
    },
  };
}

function makeSearches(first: pg.Client, second: pg.Client): Record<string, Search> {
  const names = new Map<string, string>();
  const prepared = (text: string, values: unknown[]) => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return { name, text, values, rowMode: "array" };
  };
  const countAll = async ({ count, values }: ReturnType<typeof sqlOfBody>) =>
    (await second.query<[number]>(prepared(count, values))).rows[0]?.[0] ?? 0;
  return {
    "page and count at once on two connections": async (body) => {
      const sql = sqlOfBody(body);
      const page = first.query<[string]>(prepared(sql.page, sql.values));
      const [{ rows }, total] = await Promise.all([page, countAll(sql)]);
      return { ids: rows.map(([id]) => id), total };
    },
    "page and count in one statement": async (body) => {
      const sql = sqlOfBody(body);
      const { rows } = await first.query<[string, number]>(prepared(sql.both, sql.values));
      const total = rows[0]?.[1] ?? (body.start > 0 ? await countAll(sql) : 0);
      return { ids: rows.map(([id]) => id), total };
    },
  };
}
