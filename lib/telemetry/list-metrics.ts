import type { Moment } from "../contract/moment";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField } from "../kernel/errors";
import { DAYS_KEPT } from "./forget-old-telemetry";
import { getOwnInstance, toNs } from "./get-own-instance";
import { POINT_SECONDS } from "./record-telemetry";

/** With a step that is cut at either end. */
const MOST_POINTS = 500;
const steps = [POINT_SECONDS, 20, 30, 60, 120, 300, 600, 1200, 1800] as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface PointRow {
  at: Date;
  gpuUtil: number;
  cpuUtil: number;
  ramUtil: number;
  memUtil: number;
  inetIn: bigint;
  inetOut: bigint;
}

const columns = Prisma.sql`gpu_util AS "gpuUtil", cpu_util AS "cpuUtil", ram_util AS "ramUtil", mem_util AS "memUtil",
  inet_in AS "inetIn", inet_out AS "inetOut"`;

/**
 * The points of one's own instance from one instant to before another, at most 500: of a long span they are of longer steps.
 * @returns `step` in seconds
 * @throws DomainError not_found · ValidationError where `to` is before `from`
 */
export async function listMetrics(
  ctx: Ctx,
  instanceId: string,
  wish: { from?: Moment | undefined; to?: Moment | undefined },
): Promise<{ items: PointRow[]; step: number }> {
  const clock = await getOwnInstance(ctx, instanceId);
  const nowMs = Number(clock.nowNs / 1_000_000n);
  const toMs = wish.to ? msOf(wish.to, clock) : nowMs;
  const fromMs = wish.from ? msOf(wish.from, clock) : toMs - HOUR_MS;
  if (fromMs > toMs) throw invalidField(["query", "to"], "Must not be before `from`", "range");
  // Before and behind it there is nothing, so it asks for no longer step.
  const from = Math.max(fromMs, nowMs - DAYS_KEPT * DAY_MS);
  const to = Math.min(toMs, nowMs);
  const step = steps.find((seconds) => (to - from) / (seconds * 1000) <= MOST_POINTS - 1) ?? steps[8];
  if (from >= to) return { items: [], step };
  return { items: await readSteps(instanceId, new Date(from), new Date(to), step), step };
}

function msOf(moment: Moment, clock: { nowNs: bigint }): number {
  return Number(toNs(moment, clock) / 1_000_000n);
}

function readSteps(instanceId: string, from: Date, to: Date, step: number): Promise<PointRow[]> {
  const span = Prisma.sql`instance_id = ${instanceId} AND at >= ${from} AND at < ${to}`;
  if (step === POINT_SECONDS) {
    return db().$queryRaw<PointRow[]>`SELECT at, ${columns} FROM instance_metric WHERE ${span} ORDER BY at`;
  }
  const average = (column: Prisma.Sql) => Prisma.sql`round(avg(${column})::numeric, 2)::float8`;
  const last = (column: Prisma.Sql) => Prisma.sql`(array_agg(${column} ORDER BY at DESC))[1]`;
  return db().$queryRaw<PointRow[]>`
    SELECT begins AS at, ${average(Prisma.sql`gpu_util`)} AS "gpuUtil", ${average(Prisma.sql`cpu_util`)} AS "cpuUtil",
      ${average(Prisma.sql`ram_util`)} AS "ramUtil", ${average(Prisma.sql`mem_util`)} AS "memUtil",
      ${last(Prisma.sql`inet_in`)} AS "inetIn", ${last(Prisma.sql`inet_out`)} AS "inetOut"
    FROM (SELECT date_bin(make_interval(secs => ${step}), at, 'epoch') AS begins, * FROM instance_metric WHERE ${span}) points
    GROUP BY begins ORDER BY begins`;
}

/**
 * Behind which point a stream begins: the cursor's, else the last one before `from`, else the newest.
 * @throws DomainError not_found
 */
export async function findMetricStart(
  ctx: Ctx,
  instanceId: string,
  { from, behind }: { from?: Moment | undefined; behind?: Moment | undefined },
): Promise<Date> {
  const clock = await getOwnInstance(ctx, instanceId);
  if (behind) return new Date(msOf(behind, clock));
  if (from) return new Date(msOf(from, clock) - 1);
  const [newest] = await db().$queryRaw<{ at: Date }[]>`
    SELECT at FROM instance_metric WHERE instance_id = ${instanceId} ORDER BY at DESC LIMIT 1`;
  return newest?.at ?? new Date(0);
}

/**
 * The first points behind an instant, of one's own instance.
 * @returns null where the instance is destroyed
 */
export async function readMetrics(
  ctx: Ctx,
  instanceId: string,
  { behind, limit }: { behind: Date; limit: number },
): Promise<PointRow[] | null> {
  const rows = await db().$queryRaw<(PointRow | { at: null })[]>`
    SELECT m.* FROM instance i LEFT JOIN LATERAL (
      SELECT at, ${columns} FROM instance_metric WHERE instance_id = i.id AND at > ${behind} ORDER BY at LIMIT ${limit}::int) m ON true
    WHERE i.id = ${instanceId} AND i.user_id = ${ctx.userId} AND i.status <> 'destroyed' ORDER BY m.at`;
  return rows.length === 0 ? null : rows.filter((row) => row.at !== null);
}
