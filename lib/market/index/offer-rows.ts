import pg from "pg";
import { db, Prisma } from "../../db/client";
import { env } from "../../env";
import type { GpuNames, OfferFacts, ProviderNames } from "./offer-facts";

/** So many rows are read at once; more are read by a cursor. */
const AT_ONCE = 5_000;

const columns = `o.id, o.provider_id AS "providerId", o.gpu_translit_name AS gpu, o.gpu_amount AS "gpuAmount",
  o.price_micro::float8 AS "priceMicro", o.score, o.vram_gb AS vram, o.ram_gb AS ram, o.disk_gb AS disk, o.vcpu,
  o.cpu_cores AS "cpuCores", o.cpu_freq_ghz AS "cpuFreq", o.memory_speed_gbps AS "memorySpeed",
  o.ethernet_in_mbps AS "ethernetIn", o.ethernet_out_mbps AS "ethernetOut", o.capacity_tflops AS capacity,
  o.cpu_name AS "cpuName", o.city, o.country, o.region, o.in_stock AS "inStock", o.rentable, o.listed,
  extract(epoch FROM o.unavailable_since)::float8 * 1000 AS "unavailableSince"`;

/** Up to where a node has read: every transaction below has ended, and what it did has been seen. */
export type ReadUpTo = string;

/**
 * All offers of the market as of one moment, batch by batch.
 * @returns from where their changes are to be read
 */
export async function readAllOffers(take: (offers: OfferFacts[]) => Promise<void>): Promise<ReadUpTo> {
  return streamOffers("o.listed ORDER BY o.price_micro, o.id", take);
}

/** As `readChanges`, of however many offers, as of one moment. */
export async function readManyChanges(
  from: ReadUpTo,
  take: (offers: OfferFacts[]) => Promise<void>,
): Promise<ReadUpTo> {
  return streamOffers(`o.changed_xid >= '${BigInt(from)}'::xid8`, take);
}

async function streamOffers(where: string, take: (offers: OfferFacts[]) => Promise<void>): Promise<ReadUpTo> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined); // a broken connection fails the query that uses it
  await client.connect();
  try {
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows } = await client.query<{ upto: ReadUpTo }>(
      "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS upto",
    );
    await client.query(
      `DECLARE some_offers NO SCROLL CURSOR FOR SELECT ${columns} FROM offer o WHERE ${where}`,
    );
    for (;;) {
      const batch = await client.query<OfferFacts>(`FETCH ${AT_ONCE} FROM some_offers`);
      await take(batch.rows);
      if (batch.rows.length < AT_ONCE) break;
    }
    await client.query("COMMIT");
    return rows[0]?.upto ?? "0";
  } finally {
    await client.end();
  }
}

interface Changes {
  offers: OfferFacts[];
  /** There are more than can be told at once, and none is told. */
  areTooMany: boolean;
  /** From where to read the next time. */
  upTo: ReadUpTo;
  /** The transactions at or above that, whose changes are among these already. */
  seen: string[];
  /** Unix milliseconds by the database's clock. */
  now: number;
}

/**
 * The offers that were changed by transactions at or above `from`, but for those that were seen. What commits late is found too: a
 * transaction that still runs holds `upTo` below itself.
 */
export async function readChanges(from: ReadUpTo, seen: readonly string[]): Promise<Changes> {
  type Row = Omit<OfferFacts, "id"> & { id: string | null; xid: string; upto: ReadUpTo; now: number };
  const rows = await db().$queryRaw<Row[]>`
    SELECT edge.*, o.changed_xid::text AS xid, ${Prisma.raw(columns)} FROM (
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS upto, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now
    ) edge LEFT JOIN offer o ON o.changed_xid >= ${from}::xid8 AND NOT o.changed_xid = ANY(${seen}::xid8[])
    LIMIT ${AT_ONCE + 1}`;
  const [upTo, now] = [rows[0]?.upto ?? from, rows[0]?.now ?? Date.now()];
  if (rows.length > AT_ONCE) return { offers: [], areTooMany: true, upTo: from, seen: [...seen], now };
  const offers = rows.flatMap(({ id, xid: _, upto: __, now: ___, ...facts }) =>
    id === null ? [] : [{ id, ...facts }],
  );
  const xids = new Set([...seen, ...rows.flatMap(({ id, xid }) => (id === null ? [] : [xid]))]);
  const stillOpen = [...xids].filter((xid) => BigInt(xid) >= BigInt(upTo));
  return { offers, areTooMany: false, upTo, seen: stillOpen, now };
}

export function readProviders(): Promise<ProviderNames[]> {
  return db().provider.findMany({
    select: { id: true, name: true, translitName: true, isThirdParty: true },
    orderBy: { id: "asc" },
  });
}

export function readGpus(): Promise<GpuNames[]> {
  return db().gpu.findMany({
    select: { translitName: true, name: true, vramGb: true },
    orderBy: { translitName: "asc" },
  });
}
