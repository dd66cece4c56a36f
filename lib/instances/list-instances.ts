import { owedMicro } from "../billing/meter";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";

const viewInclude = {
  secrets: {
    include: { secret: { select: { id: true, name: true, value: true } } },
    orderBy: { secretId: "asc" },
  },
} satisfies Prisma.InstanceInclude;

type InstanceWithKeys = Prisma.InstanceGetPayload<{ include: typeof viewInclude }>;

/** An instance with its keys and what its meter says now. */
export interface InstanceView extends InstanceWithKeys {
  totalCostMicro: bigint;
  /** Seconds of running. */
  totalUptime: number;
}

/** One's own instances that are not destroyed, the newest first. */
export async function listInstances(
  ctx: Ctx,
  page: { start: number; limit: number },
): Promise<{ items: InstanceView[]; total: number }> {
  return listWhere({ userId: ctx.userId }, page);
}

/** Everyone's instances, for operators. */
export function listAnyInstances(page: { start: number; limit: number }) {
  return listWhere({}, page);
}

async function listWhere(owner: Prisma.InstanceWhereInput, page: { start: number; limit: number }) {
  const where = { ...owner, status: { not: "destroyed" } };
  const [rows, total] = await Promise.all([
    db().instance.findMany({
      where,
      include: viewInclude,
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      skip: page.start,
      take: page.limit,
    }),
    db().instance.count({ where }),
  ]);
  return { items: await withMeters(rows), total };
}

/** One's own instance, also one that was destroyed meanwhile. */
export async function getInstanceView(ctx: Ctx, instanceId: string): Promise<InstanceView> {
  const row = await db().instance.findFirstOrThrow({
    where: { id: instanceId, userId: ctx.userId },
    include: viewInclude,
  });
  const [view] = await withMeters([row]);
  if (!view) throw new Error("an instance without a view");
  return view;
}

async function withMeters(rows: InstanceWithKeys[]): Promise<InstanceView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const sums = await db().$queryRaw<{ id: string; cost: bigint; uptime: number }[]>(Prisma.sql`
    SELECT m.instance_id AS id, coalesce(sum(${owedMicro}) FILTER (WHERE m.term IS NULL), 0)::bigint AS cost,
      coalesce(sum(extract(epoch FROM coalesce(m.ended_at, clock_timestamp()) - m.started_at))
        FILTER (WHERE m.kind = 'running'), 0)::float8 AS uptime
    FROM meter_interval m JOIN instance i ON i.id = m.instance_id LEFT JOIN host h ON h.id = i.host_id
    WHERE m.instance_id = ANY(${ids}) GROUP BY 1`);
  const byId = new Map(sums.map((sum) => [sum.id, sum]));
  return rows.map((row) => ({
    ...row,
    totalCostMicro: row.prepaidMicro + (byId.get(row.id)?.cost ?? 0n),
    totalUptime: Math.floor(byId.get(row.id)?.uptime ?? 0),
  }));
}
