import { secondsByDay } from "../billing/days";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { notFound } from "../kernel/errors";
import { onMarket } from "../market/filter-conditions";

/** What keeps a machine off the market, as its agent found it. */
export interface Failure {
  code: string;
  detail: string;
}

interface Facts {
  hostId: string;
  createdAt: Date;
  lastReportAt: Date | null;
  verified: boolean;
  rented: boolean;
  statusReason: string | null;
  failures: Failure[];
  reachProblem: string | null;
}

interface Utilisation {
  /** YYYY-MM-DD, UTC. */
  day: string;
  rented: number;
  total: number;
}

/** Micro-units of USD for an hour of one GPU. */
interface PricePosition {
  offers: number;
  cheaper: number | null;
  median: bigint | null;
  low: bigint | null;
}

export interface HostOverview extends Facts {
  utilisation: Utilisation[];
  position: PricePosition;
}

/**
 * How one's own host does.
 * @param priceMicro what to compare with others' prices; absent: the host's own price
 * @throws DomainError not_found
 */
export async function getHostOverview(
  ctx: Ctx,
  hostId: string,
  priceMicro: bigint | null,
): Promise<HostOverview> {
  const [facts] = await db().$queryRaw<Facts[]>`
    SELECT h.id AS "hostId", h.created_at AS "createdAt", h.last_report_at AS "lastReportAt", h.verified_at IS NOT NULL AS verified,
      o.leased AS rented, h.status_reason AS "statusReason", coalesce(a.failures, '[]') AS failures, a.reach_problem AS "reachProblem"
    FROM host h JOIN offer o ON o.host_id = h.id LEFT JOIN agent a ON a.id = h.agent_id
    WHERE h.id = ${hostId} AND h.user_id = ${ctx.userId} AND h.deleted_at IS NULL`;
  if (!facts) throw notFound("host");
  const [utilisation, position] = await Promise.all([
    readUtilisation(hostId),
    readPosition(ctx, hostId, priceMicro),
  ]);
  return { ...facts, utilisation, position };
}

function readUtilisation(hostId: string): Promise<Utilisation[]> {
  return db().$queryRaw<Utilisation[]>`
    WITH span AS (
      SELECT today - interval '144 hours' AS begins, today + interval '24 hours' AS ends
      FROM (SELECT date_trunc('day', clock_timestamp(), 'UTC') AS today) days
    ), rented AS (
      SELECT day, sum(seconds) AS seconds FROM (${secondsByDay(Prisma.sql`i.host_id = ${hostId}`)}) pieces GROUP BY day
    )
    SELECT to_char(begun AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, floor(coalesce(rented.seconds, 0))::int AS rented,
      floor(greatest(0, extract(epoch FROM least(begun + interval '24 hours', clock_timestamp()) - greatest(begun, h.created_at))))::int AS total
    FROM span, host h, generate_series(span.begins, span.ends - interval '24 hours', interval '24 hours') AS begun
      LEFT JOIN rented ON rented.day = (begun AT TIME ZONE 'UTC')::date
    WHERE h.id = ${hostId} ORDER BY begun`;
}

/** Offers of the same GPU; of an unknown one, or of none, those that are called alike. */
async function readPosition(ctx: Ctx, hostId: string, priceMicro: bigint | null): Promise<PricePosition> {
  const [position] = await db().$queryRaw<PricePosition[]>`
    WITH own AS (
      SELECT gpu_translit_name, gpu_name, coalesce(${priceMicro}::bigint, price_micro)::numeric / greatest(gpu_amount, 1) AS price
      FROM offer WHERE host_id = ${hostId}
    ), likes AS (
      SELECT o.price_micro::numeric / greatest(o.gpu_amount, 1) AS price, own.price AS mine
      FROM own, offer o JOIN provider p ON p.id = o.provider_id
      WHERE ${onMarket} AND o.price_micro IS NOT NULL AND p.owner_id IS DISTINCT FROM ${ctx.userId}
        AND o.gpu_translit_name IS NOT DISTINCT FROM own.gpu_translit_name
        AND (own.gpu_translit_name IS NOT NULL OR o.gpu_name = own.gpu_name)
    )
    SELECT count(*)::int AS offers, CASE WHEN (SELECT price FROM own) IS NOT NULL THEN count(*) FILTER (WHERE price < mine)::int END AS cheaper,
      round(percentile_disc(0.5) WITHIN GROUP (ORDER BY price))::bigint AS median, round(min(price))::bigint AS low
    FROM likes`;
  return position ?? { offers: 0, cheaper: null, median: null, low: null };
}
