import type { EventType } from "../contract/words";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField } from "../kernel/errors";

export interface EventFilters {
  type?: EventType | undefined;
  subjectId?: string | undefined;
}

/** A place in the order of events: behind the event that it names. */
export interface EventPosition {
  xact: string;
  id: bigint;
}

export interface EventRow extends EventPosition {
  type: EventType;
  subjectId: string;
  /** As it was written: amounts are strings of micro-units. */
  data: Record<string, string | number | boolean | null>;
  at: Date;
}

/** An id of an event as a client sent it, and where it stood. */
export interface EventCursor {
  id: string;
  loc: ["query", "after"] | ["header", "Last-Event-ID"];
}

const BEFORE_ALL: EventPosition = { xact: "0", id: 0n };

const MAX_ID = 2n ** 63n - 1n;

/** What is finished: no transaction that is still open can add an event among these. A sequence alone would not tell. */
const isSettled = Prisma.sql`xact < pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * One's own events: behind the cursor the first `limit`, without one the newest, ascending either way.
 * @returns `total`: all that match behind the cursor
 * @throws ValidationError where the cursor names no event of one's own
 */
export async function listEvents(
  ctx: Ctx,
  filters: EventFilters,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ items: EventRow[]; total: number }> {
  const from =
    after === undefined ? BEFORE_ALL : await findPosition(ctx, { id: after, loc: ["query", "after"] });
  const items = await readEvents(ctx, filters, { from, limit, newest: after === undefined });
  const [counted] = await db().$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM event WHERE ${matching(ctx, filters, from)}`;
  return { items, total: Number(counted?.total ?? 0) };
}

/**
 * Where a cursor stands. Its transaction is looked up, not part of it: a restored database has others.
 * @throws ValidationError at the cursor's `loc`
 */
export async function findPosition(ctx: Ctx, { id, loc }: EventCursor): Promise<EventPosition> {
  const number = /^[1-9]\d{0,18}$/.test(id) ? BigInt(id) : 0n;
  const [row] =
    number > MAX_ID
      ? []
      : await db().$queryRaw<EventPosition[]>`
          SELECT xact::text, id FROM event WHERE id = ${number} AND user_id = ${ctx.userId}`;
  if (!row) throw invalidField(loc, "Must be the id of one of your events; leave it out to begin anew");
  return row;
}

/** Behind the newest event that is settled. */
export async function findNewest(ctx: Ctx): Promise<EventPosition> {
  const [row] = await db().$queryRaw<EventPosition[]>`
    SELECT xact::text, id FROM event WHERE user_id = ${ctx.userId} AND ${isSettled}
    ORDER BY event.xact DESC, id DESC LIMIT 1`;
  return row ?? BEFORE_ALL;
}

/** Settled events behind `from`, ascending: the first `limit`, or the last. */
export async function readEvents(
  ctx: Ctx,
  filters: EventFilters,
  { from, limit, newest = false }: { from: EventPosition; limit: number; newest?: boolean },
): Promise<EventRow[]> {
  const order = newest ? Prisma.sql`event.xact DESC, id DESC` : Prisma.sql`event.xact, id`;
  const rows = await db().$queryRaw<EventRow[]>`
    SELECT xact::text, id, type, subject_id AS "subjectId", data, at FROM event
    WHERE ${matching(ctx, filters, from)} ORDER BY ${order} LIMIT ${limit}`;
  return newest ? rows.reverse() : rows;
}

function matching(ctx: Ctx, { type, subjectId }: EventFilters, from: EventPosition): Prisma.Sql {
  const rules = [
    Prisma.sql`user_id = ${ctx.userId} AND ${isSettled} AND (xact, id) > (${from.xact}::xid8, ${from.id})`,
  ];
  if (type !== undefined) rules.push(Prisma.sql`type = ${type}`);
  if (subjectId !== undefined) rules.push(Prisma.sql`subject_id = ${subjectId}`);
  return Prisma.join(rules, " AND ");
}
