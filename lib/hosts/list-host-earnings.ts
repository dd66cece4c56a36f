import { type DatedParts, type DaySpan, daySpan, rateSpans, secondsByDay } from "../billing/days";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { notFound } from "../kernel/errors";
import type { Rate } from "../kernel/money";

interface EarningsWish extends DaySpan {
  currency: Rate["currency"];
  start: number;
  limit: number;
}

/** What a host earned on a day, after the operator's fee, and for how long it was rented. */
export interface DayOfEarnings extends DatedParts {
  /** YYYY-MM-DD, UTC. */
  day: string;
  seconds: number;
}

/**
 * What one's own host earned by UTC day, the newest first; also of a deleted one.
 * @throws DomainError not_found, also for another's
 */
export async function listHostEarnings(
  ctx: Ctx,
  hostId: string,
  wish: EarningsWish,
): Promise<{ items: DayOfEarnings[]; total: number }> {
  if ((await db().host.count({ where: { id: hostId, userId: ctx.userId } })) === 0) throw notFound("host");
  const rows = await db().$queryRaw<({ total: number } & (DayOfEarnings | { day: null }))[]>`
    WITH span AS (${daySpan(wish)}), rates AS (${rateSpans(wish.currency)}),
    earned AS (
      SELECT m.day, rates.units, sum(m.host_micro)::bigint AS micro
      FROM span, ledger_movement m JOIN rates ON m.at >= rates.begins AND m.at < rates.ends
      WHERE m.host_id = ${hostId} AND m.payee_id = ${ctx.userId} AND m.kind IN ('usage', 'accrual')
        AND m.day BETWEEN span.first AND span.last
      GROUP BY m.day, rates.units
    ), amounts AS (
      SELECT day, array_agg(micro ORDER BY units) AS micros, array_agg(units ORDER BY units) AS units FROM earned GROUP BY day
    ), rented AS (
      SELECT day, sum(seconds) AS seconds FROM (${secondsByDay(Prisma.sql`i.host_id = ${hostId}`)}) pieces GROUP BY day
    ), listed AS MATERIALIZED (SELECT * FROM amounts FULL JOIN rented USING (day))
    SELECT (SELECT count(*)::int FROM listed) AS total, to_char(page.day, 'YYYY-MM-DD') AS day,
      coalesce(micros, '{}') AS micros, coalesce(units, '{}') AS units, coalesce(seconds, 0)::float8 AS seconds
    FROM (SELECT) one LEFT JOIN (SELECT * FROM listed ORDER BY day DESC LIMIT ${wish.limit} OFFSET ${wish.start}) page ON true
    ORDER BY page.day DESC`;
  return { items: rows.filter((row) => row.day !== null), total: rows[0]?.total ?? 0 };
}
