import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { Rate } from "../kernel/money";
import { type DatedParts, type DaySpan, daySpan, rateSpans, secondsByDay } from "./days";

interface UsageWish extends DaySpan {
  currency: Rate["currency"];
  instanceId?: string | undefined;
  start: number;
  limit: number;
}

/** What an instance cost on a day. */
export interface DayOfUsage extends DatedParts {
  /** YYYY-MM-DD, UTC. */
  day: string;
  instanceId: string;
  name: string | null;
  seconds: number;
}

/** What one's instances cost by UTC day, from the balance and out of escrow, the newest day first. */
export async function listUsage(ctx: Ctx, wish: UsageWish): Promise<{ items: DayOfUsage[]; total: number }> {
  const ofInstance = (column: Prisma.Sql) =>
    wish.instanceId === undefined ? Prisma.empty : Prisma.sql`AND ${column} = ${wish.instanceId}`;
  const rows = await db().$queryRaw<({ total: number } & (DayOfUsage | { day: null }))[]>`
    WITH span AS (${daySpan(wish)}), rates AS (${rateSpans(wish.currency)}),
    costs AS (
      SELECT m.day, m.instance_id, rates.units, -sum(m.renter_micro + m.escrow_micro)::bigint AS micro
      FROM span, ledger_movement m JOIN rates ON m.at >= rates.begins AND m.at < rates.ends
      WHERE m.user_id = ${ctx.userId} AND m.kind IN ('usage', 'accrual') AND m.day BETWEEN span.first AND span.last
        ${ofInstance(Prisma.sql`m.instance_id`)}
      GROUP BY m.day, m.instance_id, rates.units
    ), amounts AS (
      SELECT day, instance_id, array_agg(micro ORDER BY units) AS micros, array_agg(units ORDER BY units) AS units
      FROM costs GROUP BY day, instance_id
    ), running AS (
      SELECT day, instance_id, sum(seconds) AS seconds
      FROM (${secondsByDay(Prisma.sql`i.user_id = ${ctx.userId} AND m.kind = 'running' ${ofInstance(Prisma.sql`i.id`)}`)}) pieces
      GROUP BY day, instance_id
    ), listed AS MATERIALIZED (SELECT * FROM amounts FULL JOIN running USING (day, instance_id))
    SELECT (SELECT count(*)::int FROM listed) AS total, to_char(page.day, 'YYYY-MM-DD') AS day, page.instance_id AS "instanceId", i.name,
      coalesce(micros, '{}') AS micros, coalesce(units, '{}') AS units, coalesce(seconds, 0)::float8 AS seconds
    FROM (SELECT) one LEFT JOIN (SELECT * FROM listed ORDER BY day DESC, instance_id LIMIT ${wish.limit} OFFSET ${wish.start}) page ON true
      LEFT JOIN instance i ON i.id = page.instance_id
    ORDER BY page.day DESC, page.instance_id`;
  return { items: rows.filter((row) => row.day !== null), total: rows[0]?.total ?? 0 };
}
