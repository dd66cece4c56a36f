// Fastify with pg over the same database: ping, the search and the list of instances as a good hand would write them, with the market's own
// conditions and indexes, prepared statements, a key that is believed for a second, and Fastify's serialisation. With the word `complete` also
// what each answer of Berth has beside that: the headers of security, an id of its own, a sample in the metrics.
import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";
import { Histogram } from "prom-client";
import { reservePeriods } from "../../lib/billing/reserve-periods.ts";
import { offerSorts } from "../../lib/contract/words.ts";
import { Prisma } from "../../lib/db/client.ts";
import { presentInstance } from "../../lib/instances/presenter.ts";
import { parseToken, secretHashesEqual } from "../../lib/kernel/token.ts";
import { boundColumns, conditionsOf, onMarket } from "../../lib/market/filter-conditions.ts";
import { instancesSql } from "./instances-sql.mjs";
import { offersSchema } from "./offers-schema.mjs";

const KEY_MS = 1_000;
const rate = { currency: "USD", unitsPerUsd: "1" };

pg.types.setTypeParser(pg.types.builtins.INT8, BigInt);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const statements = new Map();

/** Prepared once on each connection. */
async function query(text, values) {
  let name = statements.get(text);
  if (!name) {
    name = `s${statements.size}`;
    statements.set(text, name);
  }
  return (await pool.query({ name, text, values })).rows;
}

const callers = new Map();

async function authenticate(request, reply) {
  const token = request.headers["x-api-key"] ?? "";
  const known = callers.get(token);
  if (known && performance.now() < known.until) {
    request.userId = known.userId;
    return;
  }
  const parsed = parseToken("ak", token);
  const [row] = parsed
    ? await query(
        `SELECT secret_hash AS hash, user_id FROM api_key
         WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
        [parsed.id],
      )
    : [];
  if (!row || !secretHashesEqual(row.hash, parsed.secretHash)) {
    return reply.code(401).send({ code: "invalid_api_key" });
  }
  callers.set(token, { userId: row.user_id, until: performance.now() + KEY_MS });
  request.userId = row.user_id;
}

const sortColumns = {
  ...boundColumns,
  price: Prisma.sql`o.price_micro`,
  gpu_amount: Prisma.sql`o.gpu_amount`,
  price_per_gpu: Prisma.sql`(o.price_micro::numeric / greatest(o.gpu_amount, 1))`,
};

async function searchMarket({ body }) {
  const { query: filters = {}, sort_by: sort = "price_asc", start = 0, limit = 50 } = body;
  const conditions = conditionsOf({ filters, rate }).map(({ condition }) => condition);
  const where = Prisma.join([onMarket, ...conditions], " AND ");
  const column = sortColumns[sort.slice(0, sort.lastIndexOf("_"))];
  const direction = Prisma.raw(sort.endsWith("_desc") ? "DESC" : "ASC");
  const page = Prisma.sql`
    SELECT o.*, o.price_micro::float8 AS price, o.disk_price_micro::float8 AS disk_price, p.translit_name AS provider,
      h.verified_at IS NOT NULL AS host_verified
    FROM (SELECT o.* FROM offer o WHERE ${where} ORDER BY ${column} ${direction} NULLS LAST, o.id LIMIT ${limit} OFFSET ${start}) o
    JOIN provider p ON p.id = o.provider_id LEFT JOIN host h ON h.id = o.host_id
    ORDER BY ${column} ${direction} NULLS LAST, o.id`;
  const count = Prisma.sql`SELECT count(*)::int AS total FROM offer o WHERE ${where}`;
  const [rows, [counted]] = await Promise.all([
    query(page.text, page.values),
    query(count.text, count.values),
  ]);
  return { ok: true, data: rows.map(presentOffer), total_items: counted.total };
}

const { currency } = rate;
const discounts = Object.entries(reservePeriods).map(([period, { discountPercent }]) => [
  period,
  discountPercent,
]);

function presentOffer(row) {
  return {
    id: row.id,
    gpu_amount: row.gpu_amount,
    gpu_name: row.gpu_name,
    gpu_translit_name: row.gpu_translit_name,
    vram: row.vram_gb,
    configuration: {
      ram: { amount: row.ram_gb, unit: "gb" },
      disk: { amount: row.disk_gb, unit: "gb" },
      cpu_name: row.cpu_name,
      vcpu: row.vcpu,
      cpu_cores: row.cpu_cores,
      cpu_freq: row.cpu_freq_ghz,
      memory_speed: row.memory_speed_gbps,
      ethernet_in: row.ethernet_in_mbps,
      ethernet_out: row.ethernet_out_mbps,
      capacity: row.capacity_tflops,
      max_cuda_version: row.max_cuda_version,
    },
    in_stock: row.in_stock,
    rentable: row.rentable,
    prices: row.price === null ? [] : discounts.map(([period, off]) => presentPrice(row, period, off)),
    location: { city: row.city, country: row.country, region: row.region },
    url: row.url,
    is_third_party: row.is_third_party,
    disk_prices:
      row.disk_price === null ? [] : [{ currency, period: "month", unit: "gb", price: row.disk_price / 1e6 }],
    provider_translit_name: row.provider,
    simulated: row.runtime === "simulated",
    score: row.score,
    host_verified: row.host_verified,
    updated_at: row.updated_at,
  };
}

/** In whole micro-units, far below where numbers are exact no more. */
function presentPrice({ price, gpu_amount: gpus }, period, discount) {
  const micro = Math.round((price * (100 - discount)) / 100);
  const each = Math.round(micro / Math.max(1, gpus));
  return { currency, period, price: micro / 1e6, price_per_gpu: each / 1e6, discount };
}

async function listInstances({ userId }) {
  const [rows, [counted]] = await Promise.all([
    query(instancesSql, [userId]),
    query("SELECT count(*)::int AS total FROM instance WHERE user_id = $1 AND status <> 'destroyed'", [
      userId,
    ]),
  ]);
  const counts = new Map(
    rows.map((row) => [row.gpu, { offers: row.gpu_offers ?? 0, countries: row.gpu_countries ?? 0 }]),
  );
  const data = rows.map((row) => presentInstance(row, rate, counts));
  return { ok: true, data, total_items: counted.total };
}

const searchBody = {
  type: "object",
  properties: {
    currency: { const: "USD" },
    query: { type: "object" },
    sort_by: { enum: offerSorts },
    start: { type: "integer", minimum: 0 },
    limit: { type: "integer", minimum: 1, maximum: 50 },
  },
};

async function complete() {
  const { default: helmet } = await import("@fastify/helmet");
  await server.register(helmet);
  const seconds = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to the end of its answer",
    labelNames: ["method", "operation", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    reply.header("cache-control", "no-store");
  });
  server.addHook("onResponse", async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    seconds.observe({ method, operation: routeOptions.url, status: String(statusCode) }, elapsedTime / 1000);
  });
}

const server = Fastify({ genReqId: () => `req_${randomBytes(12).toString("hex")}` });
if (process.argv[2] === "complete") await complete();
server.addHook("onRequest", authenticate);
server.get("/v0/ping", async () => ({ ok: true, data: null }));
server.get("/v0/instances", listInstances);
server.post("/v0/market/search", {
  schema: { body: searchBody, response: { 200: offersSchema } },
  handler: searchMarket,
});
process.once("SIGTERM", () => process.exit(0));
await server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`ready    http://127.0.0.1:${server.server.address().port}\n`);
