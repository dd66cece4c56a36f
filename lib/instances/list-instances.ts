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

/** An instance with its keys, what its meter says now, and the fingerprint of its host's SSH key. */
export interface InstanceView extends InstanceWithKeys {
  fingerprint: string | null;
  totalCostMicro: bigint;
  /** Seconds of running. */
  totalUptime: number;
}

/** What an instance has cost beyond what was paid ahead, its seconds of running, and its host's SSH key. */
interface Machine {
  id: string;
  cost: bigint;
  uptime: number;
  fingerprint: string | null;
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
  return { items: await withMachines(rows), total };
}

/** One's own instance, also one that was destroyed meanwhile. */
export async function getInstanceView(ctx: Ctx, instanceId: string): Promise<InstanceView> {
  const row = await db().instance.findFirstOrThrow({
    where: { id: instanceId, userId: ctx.userId },
    include: viewInclude,
  });
  const [view] = await withMachines([row]);
  if (!view) throw new Error("an instance without a view");
  return view;
}

async function withMachines(rows: InstanceWithKeys[]): Promise<InstanceView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const machines = await db().$queryRaw<Machine[]>(Prisma.sql`
    SELECT i.id, h.fingerprint, coalesce(sum(${owedMicro}) FILTER (WHERE m.id IS NOT NULL AND m.term IS NULL), 0)::bigint AS cost,
      coalesce(sum(extract(epoch FROM coalesce(m.ended_at, clock_timestamp()) - m.started_at))
        FILTER (WHERE m.kind = 'running'), 0)::float8 AS uptime
    FROM instance i LEFT JOIN host h ON h.id = i.host_id LEFT JOIN meter_interval m ON m.instance_id = i.id
    WHERE i.id = ANY(${ids}) GROUP BY i.id, h.fingerprint`);
  const byId = new Map(machines.map((machine) => [machine.id, machine]));
  return rows.map((row) => ({
    ...row,
    fingerprint: byId.get(row.id)?.fingerprint ?? null,
    totalCostMicro: row.prepaidMicro + (byId.get(row.id)?.cost ?? 0n),
    totalUptime: Math.floor(byId.get(row.id)?.uptime ?? 0),
  }));
}
