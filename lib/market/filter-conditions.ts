import type { SearchFilters } from "../contract/offer";
import type { FilterName, RangeName } from "../contract/words";
import { Prisma } from "../db/client";
import { largestUsdMicroBelow, type Rate, smallestUsdMicroAbove } from "../kernel/money";

/** One filter that is set, as a condition on offers `o`; what an offer does not say makes it null or false. */
export interface FilterCondition {
  filter: FilterName;
  condition: Prisma.Sql;
}

/** What the market shows at all: listed, and not unavailable for longer than a day. */
export const onMarket = Prisma.sql`o.listed AND (o.unavailable_since IS NULL OR o.unavailable_since > now() - interval '24 hours')`;

export const boundColumns = {
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
} as const satisfies Record<Exclude<RangeName, "price">, Prisma.Sql>;

/** The filters that are set. An offer of the market is found where it meets all of them. */
export function conditionsOf({ filters, rate }: { filters: SearchFilters; rate: Rate }): FilterCondition[] {
  const conditions: FilterCondition[] = [...boundConditions(filters), ...priceCondition(filters, rate)];
  const add = (filter: FilterName, condition: Prisma.Sql) => conditions.push({ filter, condition });
  const { location, provider, cpu_name: cpu, gpu_translit_name: gpus, gpu_amount: amount } = filters;
  if (location) {
    const places = location.map((place) => place.toLowerCase());
    add(
      "location",
      Prisma.sql`(lower(o.city) = ANY(${places}) OR lower(o.country) = ANY(${places}) OR lower(o.region) = ANY(${places}))`,
    );
  }
  if (gpus) add("gpu_translit_name", Prisma.sql`o.gpu_translit_name = ANY(${gpus})`);
  if (provider) {
    add(
      "provider",
      Prisma.sql`o.provider_id IN (SELECT id FROM provider WHERE translit_name = ${provider} OR name = ${provider})`,
    );
  }
  if (cpu) add("cpu_name", Prisma.sql`strpos(lower(o.cpu_name), lower(${cpu})) > 0`);
  if (filters.in_stock !== undefined) add("in_stock", Prisma.sql`o.in_stock = ${filters.in_stock}`);
  if (filters.rentable !== undefined) add("rentable", Prisma.sql`o.rentable = ${filters.rentable}`);
  if (amount !== undefined) add("gpu_amount", Prisma.sql`o.gpu_amount = ${amount}::float8`);
  return conditions;
}

/** Which filters an offer misses, a bit each in their order. */
export function missedBits(conditions: FilterCondition[]): Prisma.Sql {
  if (conditions.length === 0) return Prisma.sql`0`;
  const bits = conditions.map(
    ({ condition }, i) => Prisma.sql`CASE WHEN ${condition} THEN 0 ELSE ${2 ** i}::int END`,
  );
  return Prisma.sql`(${Prisma.join(bits, " + ")})`;
}

/** Strict bounds; SQL's null never matches one. */
function boundConditions(filters: SearchFilters): FilterCondition[] {
  return Object.entries(boundColumns).flatMap(([name, column]) => {
    const above = filters[`${name}_gt` as keyof SearchFilters];
    const below = filters[`${name}_lt` as keyof SearchFilters];
    return both(
      name as keyof typeof boundColumns,
      above === undefined ? null : Prisma.sql`${column} > ${above}::float8`,
      below === undefined ? null : Prisma.sql`${column} < ${below}::float8`,
    );
  });
}

function priceCondition({ price_gt: above, price_lt: below }: SearchFilters, rate: Rate): FilterCondition[] {
  const least = above === undefined ? null : smallestUsdMicroAbove(above, rate);
  const most = below === undefined ? null : largestUsdMicroBelow(below, rate);
  return both(
    "price",
    least === null ? null : Prisma.sql`o.price_micro >= ${least.toString()}::numeric`,
    most === null ? null : Prisma.sql`o.price_micro <= ${most.toString()}::numeric`,
  );
}

function both(filter: RangeName, above: Prisma.Sql | null, below: Prisma.Sql | null): FilterCondition[] {
  const set = [above, below].filter((condition) => condition !== null);
  return set.length === 0 ? [] : [{ filter, condition: Prisma.sql`(${Prisma.join(set, " AND ")})` }];
}
