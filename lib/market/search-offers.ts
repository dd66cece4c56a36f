import type { OfferSort, SearchFilters } from "../contract/offer";
import { db, Prisma } from "../db/client";
import { largestUsdMicroBelow, type Rate, smallestUsdMicroAbove } from "../kernel/money";
import { type OfferView, offerViewInclude, toOfferView } from "./offer-view";

interface Search {
  filters: SearchFilters;
  sort: OfferSort;
  start: number;
  limit: number;
  rate: Rate;
}

/**
 * Offers that match every filter, a page of them in order, and how many match in all. An offer that is rented or
 * whose host is silent stays for 24 hours and then leaves until it is back.
 */
export async function searchOffers(search: Search): Promise<{ items: OfferView[]; total: number }> {
  const where = Prisma.join(conditionsOf(search), " AND ");
  const page = db().$queryRaw<{ id: string }[]>`
    SELECT o.id FROM offer o
    WHERE ${where} ORDER BY ${orderOf(search.sort)} LIMIT ${search.limit} OFFSET ${search.start}`;
  const count = db().$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM offer o WHERE ${where}`;
  const [ids, [counted]] = await Promise.all([page, count]);
  const rows = await db().offer.findMany({
    where: { id: { in: ids.map(({ id }) => id) } },
    include: offerViewInclude,
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const items = ids.flatMap(({ id }) => {
    const row = byId.get(id);
    return row ? [toOfferView(row)] : [];
  });
  return { items, total: counted?.total ?? 0 };
}

/** What the market shows at all: listed, and not unavailable for longer than a day. */
export const onMarket = Prisma.sql`o.listed AND (o.unavailable_since IS NULL OR o.unavailable_since > now() - interval '24 hours')`;

const boundColumns = {
  score: Prisma.sql`o.score`,
  vram: Prisma.sql`o.vram_gb`,
  ram: Prisma.sql`o.ram_gb`,
  disk: Prisma.sql`o.disk_gb`,
  vcpu: Prisma.sql`o.vcpu`,
  cpu_cores: Prisma.sql`o.cpu_cores`,
  cpu_freq: Prisma.sql`o.cpu_freq_ghz`,
  memory_speed: Prisma.sql`o.memory_speed_gbps`,
  ethernet_in: Prisma.sql`o.ethernet_in_mbps`,
  ethernet_out: Prisma.sql`o.ethernet_out_mbps`,
  capacity: Prisma.sql`o.capacity_tflops`,
} as const;

const sortColumns = {
  ...boundColumns,
  price: Prisma.sql`o.price_micro`,
  gpu_amount: Prisma.sql`o.gpu_amount`,
  price_per_gpu: Prisma.sql`(o.price_micro::numeric / greatest(o.gpu_amount, 1))`,
} as const;

function orderOf(sort: OfferSort): Prisma.Sql {
  const descending = sort.endsWith("_desc");
  const field = sort.slice(0, sort.lastIndexOf("_")) as keyof typeof sortColumns;
  return descending
    ? Prisma.sql`${sortColumns[field]} DESC NULLS LAST, o.id`
    : Prisma.sql`${sortColumns[field]} ASC NULLS LAST, o.id`;
}

function conditionsOf({ filters, rate }: Search): Prisma.Sql[] {
  const conditions = [onMarket, ...boundConditions(filters), ...priceConditions(filters, rate)];
  const { location, provider, cpu_name: cpu, gpu_translit_name: gpus, gpu_amount: amount } = filters;
  if (location) {
    const places = location.map((place) => place.toLowerCase());
    conditions.push(
      Prisma.sql`(lower(o.city) = ANY(${places}) OR lower(o.country) = ANY(${places}) OR lower(o.region) = ANY(${places}))`,
    );
  }
  if (gpus) conditions.push(Prisma.sql`o.gpu_translit_name = ANY(${gpus})`);
  if (provider) {
    conditions.push(
      Prisma.sql`o.provider_id IN (SELECT id FROM provider WHERE translit_name = ${provider} OR name = ${provider})`,
    );
  }
  if (cpu) conditions.push(Prisma.sql`strpos(lower(o.cpu_name), lower(${cpu})) > 0`);
  if (filters.in_stock !== undefined) conditions.push(Prisma.sql`o.in_stock = ${filters.in_stock}`);
  if (filters.rentable !== undefined) conditions.push(Prisma.sql`o.rentable = ${filters.rentable}`);
  if (amount !== undefined) conditions.push(Prisma.sql`o.gpu_amount = ${amount}::float8`);
  return conditions;
}

/** Strict bounds; SQL's null never matches one. */
function boundConditions(filters: SearchFilters): Prisma.Sql[] {
  return Object.entries(boundColumns).flatMap(([name, column]) => {
    const above = filters[`${name}_gt` as keyof SearchFilters];
    const below = filters[`${name}_lt` as keyof SearchFilters];
    return [
      ...(above === undefined ? [] : [Prisma.sql`${column} > ${above}::float8`]),
      ...(below === undefined ? [] : [Prisma.sql`${column} < ${below}::float8`]),
    ];
  });
}

function priceConditions({ price_gt: above, price_lt: below }: SearchFilters, rate: Rate): Prisma.Sql[] {
  const least = above === undefined ? null : smallestUsdMicroAbove(above, rate);
  const most = below === undefined ? null : largestUsdMicroBelow(below, rate);
  return [
    ...(least === null ? [] : [Prisma.sql`o.price_micro >= ${least.toString()}::numeric`]),
    ...(most === null ? [] : [Prisma.sql`o.price_micro <= ${most.toString()}::numeric`]),
  ];
}
