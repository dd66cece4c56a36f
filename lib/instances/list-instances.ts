import { owedMicro } from "../billing/meter";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { InstanceRow } from "./instance-row";

/** Of the row what answers are made from: a list is read all day, and the rest of it is wide. */
const columns = [
  "id",
  "userId",
  "offerId",
  "name",
  "label",
  "flaggedAt",
  "offerSnapshot",
  "templateSnapshot",
  "storageGb",
  "reservePeriod",
  "uptimeMicro",
  "pauseMicro",
  "prepaidUntil",
  "autoRenew",
  "runtime",
  "status",
  "phase",
  "message",
  "initializedAt",
  "createdAt",
  "address",
  "sshHost",
  "sshPort",
  "ports",
  "uiUrl",
  "logs",
  "gpuUtil",
  "cpuUtil",
  "ramUtil",
  "memUtil",
  "inetIn",
  "inetOut",
] as const satisfies readonly (keyof InstanceRow)[];

/** An instance with its keys, what its meter says now, and the fingerprint of its host's SSH key. */
export interface InstanceView extends Pick<InstanceRow, (typeof columns)[number]> {
  /** The SSH keys that are attached. */
  keys: { id: string; name: string; value: string }[];
  fingerprint: string | null;
  /** What was paid ahead too. */
  totalCostMicro: bigint;
  /** Seconds of running. */
  totalUptime: number;
}

interface Page {
  start: number;
  limit: number;
}

/** One's own instances that are not destroyed, the newest first. */
export async function listInstances(ctx: Ctx, page: Page) {
  return listWhere(Prisma.sql`user_id = ${ctx.userId} AND status <> 'destroyed'`, page);
}

/** Everyone's instances, for operators. */
export function listAnyInstances(page: Page) {
  return listWhere(Prisma.sql`status <> 'destroyed'`, page);
}

async function listWhere(where: Prisma.Sql, page: Page): Promise<{ items: InstanceView[]; total: number }> {
  const [items, [counted]] = await Promise.all([
    readViews(where, page),
    db().$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM instance WHERE ${where}`,
  ]);
  return { items, total: counted?.total ?? 0 };
}

/** One's own instance, also one that was destroyed meanwhile. */
export async function getInstanceView(ctx: Ctx, instanceId: string): Promise<InstanceView> {
  const where = Prisma.sql`id = ${instanceId} AND user_id = ${ctx.userId}`;
  const [view] = await readViews(where, { start: 0, limit: 1 });
  if (!view) throw new Error("an instance without a view");
  return view;
}

const selected = Prisma.raw(columns.map((name) => `i.${toSnakeCase(name)} AS "${name}"`).join(", "));

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function readViews(where: Prisma.Sql, { start, limit }: Page): Promise<InstanceView[]> {
  return db().$queryRaw<InstanceView[]>`
    SELECT ${selected}, h.fingerprint, attached.keys,
      i.prepaid_micro + meter.cost AS "totalCostMicro", meter.uptime AS "totalUptime"
    FROM (SELECT * FROM instance WHERE ${where} ORDER BY created_at DESC, id LIMIT ${limit} OFFSET ${start}) i
    LEFT JOIN host h ON h.id = i.host_id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(${owedMicro}) FILTER (WHERE m.term IS NULL), 0)::bigint AS cost,
        floor(coalesce(sum(extract(epoch FROM coalesce(m.ended_at, clock_timestamp()) - m.started_at))
          FILTER (WHERE m.kind = 'running'), 0))::float8 AS uptime
      FROM meter_interval m WHERE m.instance_id = i.id) meter
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'value', s.value) ORDER BY s.id), '[]') AS keys
      FROM instance_secret a JOIN secret s ON s.id = a.secret_id WHERE a.instance_id = i.id) attached
    ORDER BY i.created_at DESC, i.id`;
}
