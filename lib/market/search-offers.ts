import type { SearchFilters } from "../contract/offer";
import type { OfferSort } from "../contract/words";
import { db, Prisma } from "../db/client";
import type { Rate } from "../kernel/money";
import { boundColumns, conditionsOf, onMarket } from "./filter-conditions";
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
  const where = Prisma.join([onMarket, ...conditionsOf(search).map(({ condition }) => condition)], " AND ");
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
