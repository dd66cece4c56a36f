import type { z } from "zod";
import type { ProviderSort, provider } from "../contract/provider";
import { db, Prisma } from "../db/client";
import { notFound } from "../kernel/errors";
import { onMarket } from "./filter-conditions";

type ProviderRecord = z.output<typeof provider>;

/** Providers with their live offers counted; a provider's score is the mean of its offers'. */
export async function listProviders(page: {
  sort: ProviderSort;
  start: number;
  limit: number;
}): Promise<{ items: ProviderRecord[]; total: number }> {
  const order = page.sort === "score_asc" ? Prisma.sql`score ASC` : Prisma.sql`score DESC`;
  const [items, total] = await Promise.all([
    selectProviders(
      Prisma.sql`ORDER BY ${order} NULLS LAST, p.id LIMIT ${page.limit} OFFSET ${page.start}`,
      Prisma.empty,
    ),
    db().provider.count(),
  ]);
  return { items, total };
}

/** @throws DomainError not_found */
export async function getProvider(translitName: string): Promise<ProviderRecord> {
  const [found] = await selectProviders(Prisma.empty, Prisma.sql`WHERE p.translit_name = ${translitName}`);
  if (!found) throw notFound("provider");
  return found;
}

async function selectProviders(tail: Prisma.Sql, where: Prisma.Sql): Promise<ProviderRecord[]> {
  const rows = await db().$queryRaw<(ProviderRecord & { score: number | null })[]>`
    SELECT p.id, p.name, p.translit_name, p.country, p.logo, p.description,
      count(o.id)::int AS offers, coalesce(sum(o.gpu_amount), 0)::int AS gpus_count, avg(o.score) AS score
    FROM provider p LEFT JOIN offer o ON o.provider_id = p.id AND ${onMarket} ${where}
    GROUP BY p.id ${tail}`;
  return rows.map(({ score: _, ...record }) => record);
}
