import type { Moment } from "../contract/moment";
import { LINE_ID_WANTED } from "../contract/telemetry";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField } from "../kernel/errors";
import { getOwnInstance, toNs } from "./get-own-instance";

export interface LineRow {
  id: bigint;
  atNs: bigint;
  stream: "stdout" | "stderr" | "system";
  text: string;
}

/** An id of a line as a client sent it, of digits, and where it stood. */
export interface LineCursor {
  id: string;
  loc: ["query", "after"] | ["header", "Last-Event-ID"];
}

export interface LogWish {
  /** Without a cursor: how many of the newest. */
  tail: number;
  since?: Moment | undefined;
  cursor?: LineCursor | undefined;
}

/**
 * Lines of one's own instance, ascending: behind the cursor the first `limit`, without one the newest `tail`.
 * @returns `total`: all that match
 * @throws DomainError not_found · ValidationError where the cursor is no line's
 */
export async function listLogs(
  ctx: Ctx,
  instanceId: string,
  { tail, limit, ...wish }: LogWish & { limit: number },
): Promise<{ items: LineRow[]; total: number }> {
  const behind = await findBeginning(ctx, instanceId, wish);
  const isPaged = wish.cursor !== undefined;
  const order = isPaged ? Prisma.sql`id` : Prisma.sql`id DESC`;
  const matching = Prisma.sql`instance_id = ${instanceId} AND id > ${behind}`;
  const items = await db().$queryRaw<LineRow[]>`
    SELECT id, at_ns AS "atNs", stream, text FROM instance_log WHERE ${matching} ORDER BY ${order} LIMIT ${isPaged ? limit : tail}::int`;
  const [counted] = await db().$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM instance_log WHERE ${matching}`;
  return { items: isPaged ? items : items.reverse(), total: Number(counted?.total ?? 0) };
}

/**
 * Behind which line to begin: the cursor's, and the last one before `since`.
 * @throws DomainError not_found · ValidationError at the cursor's `loc`
 */
async function findBeginning(
  ctx: Ctx,
  instanceId: string,
  { since, cursor }: Omit<LogWish, "tail">,
): Promise<bigint> {
  const clock = await getOwnInstance(ctx, instanceId);
  const earlier = since ? await findLast(instanceId, Prisma.sql`at_ns < ${toNs(since, clock)}`) : 0n;
  if (!cursor) return earlier;
  const id = BigInt(cursor.id);
  // The newest line is never deleted, so one that is newer was never there: of another instance, or of a database since restored.
  if (id > 0n && id > (await findLast(instanceId, Prisma.sql`true`)))
    throw invalidField(cursor.loc, LINE_ID_WANTED);
  return later(id, earlier);
}

function later(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** The id of the newest line of an instance that matches; 0 where there is none. Times grow with ids, so it reads no further. */
async function findLast(instanceId: string, matching: Prisma.Sql, skip = 0): Promise<bigint> {
  const [row] = await db().$queryRaw<{ id: bigint }[]>`
    SELECT id FROM instance_log WHERE instance_id = ${instanceId} AND ${matching} ORDER BY id DESC OFFSET ${skip}::int LIMIT 1`;
  return row?.id ?? 0n;
}

/** Behind which line a stream begins that is to give the newest `tail` lines first. Throws as `listLogs` does. */
export async function findStart(ctx: Ctx, instanceId: string, { tail, ...wish }: LogWish): Promise<bigint> {
  const beginning = await findBeginning(ctx, instanceId, wish);
  if (wish.cursor) return beginning;
  const beforeTail = await findLast(instanceId, Prisma.sql`true`, tail);
  return later(beforeTail, beginning);
}

/**
 * The first lines behind one, of one's own instance.
 * @returns null where the instance is destroyed
 */
export async function readLogs(
  ctx: Ctx,
  instanceId: string,
  { behind, limit }: { behind: bigint; limit: number },
): Promise<LineRow[] | null> {
  const rows = await db().$queryRaw<(LineRow | { id: null })[]>`
    SELECT l.id, l.at_ns AS "atNs", l.stream, l.text FROM instance i LEFT JOIN LATERAL (
      SELECT * FROM instance_log WHERE instance_id = i.id AND id > ${behind} ORDER BY id LIMIT ${limit}::int) l ON true
    WHERE i.id = ${instanceId} AND i.user_id = ${ctx.userId} AND i.status <> 'destroyed' ORDER BY l.id`;
  return rows.length === 0 ? null : rows.filter((row) => row.id !== null);
}
