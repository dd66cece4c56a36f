import type { movementKinds, OwnAccount } from "../contract/words";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { Rate } from "../kernel/money";
import { rateSpans } from "./days";

const MAX_ID = 2n ** 63n - 1n;

export interface EntryFilters {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  kind?: MovementKind | undefined;
  account?: OwnAccount | undefined;
  instanceId?: string | undefined;
  hostId?: string | undefined;
}

type MovementKind = (typeof movementKinds)[number];

/** What a movement did to one of one's own accounts. */
export interface Entry {
  /** The movement's. */
  id: bigint;
  rank: number;
  at: Date;
  /** YYYY-MM-DD, UTC. */
  day: string;
  kind: MovementKind;
  account: OwnAccount;
  /** USD. */
  micro: bigint;
  /** Units of the currency for one USD when it was moved. */
  units: string;
  instanceId: string | null;
  hostId: string | null;
  reference: string | null;
}

interface EntryPage {
  currency: Rate["currency"];
  start: number;
  limit: number;
  /** Only what stands behind this one in the order. */
  after?: Pick<Entry, "id" | "rank"> | undefined;
}

/** One's own ledger entries, the newest first, and how many there are in all. */
export async function listEntries(
  ctx: Ctx,
  filters: EntryFilters,
  page: EntryPage,
): Promise<{ items: Entry[]; total: number }> {
  const [items, [counted]] = await Promise.all([
    readEntries(ctx, filters, page),
    db().$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM (${ownEntries(ctx, filters)}) entries`,
  ]);
  return { items, total: counted?.total ?? 0 };
}

/**
 * A page of one's own entries. Each account's part stops at the end of the page, so that the index on owner and id gives it
 * without a look at what is older.
 */
export function readEntries(ctx: Ctx, filters: EntryFilters, page: EntryPage): Promise<Entry[]> {
  const { currency, start, limit } = page;
  return db().$queryRaw<Entry[]>`
    SELECT e.id, e.rank, e.at, to_char(e.day, 'YYYY-MM-DD') AS day, e.kind, e.account, e.micro, rates.units,
      e.instance_id AS "instanceId", e.host_id AS "hostId", e.reference
    FROM (SELECT * FROM (${ownEntries(ctx, filters, page)}) own ORDER BY id DESC, rank DESC LIMIT ${limit} OFFSET ${start}) e
      JOIN (${rateSpans(currency)}) rates ON e.at >= rates.begins AND e.at < rates.ends
    ORDER BY e.id DESC, e.rank DESC`;
}

/**
 * The entries that movements made in one's own accounts: as their payer in balance and escrow, as who earns in earnings.
 * No other column of a movement is one's own.
 * @param page absent: all of them, in no order
 */
function ownEntries({ userId }: Ctx, filters: EntryFilters, page?: EntryPage): Prisma.Sql {
  const { account, instanceId } = filters;
  const where = conditionsOf(filters);
  const part = (owner: Prisma.Sql, accounts: Prisma.Sql) => {
    const key = instanceId === undefined ? owner : Prisma.sql`m.instance_id`;
    const value = instanceId ?? userId;
    return Prisma.sql`(
      SELECT m.id, rank, m.at, m.day, m.kind, account, micro, m.instance_id, m.host_id, m.reference
      FROM ledger_movement m, LATERAL (VALUES ${accounts}) own (rank, account, micro)
      WHERE micro <> 0 ${where} ${instanceId === undefined ? Prisma.empty : Prisma.sql`AND ${owner} = ${userId}`}
        ${page ? newestOf(key, value, page) : Prisma.sql`AND ${key} = ${value}`})`;
  };
  const payer = part(
    Prisma.sql`m.user_id`,
    Prisma.sql`(3, 'balance', m.renter_micro), (2, 'escrow', m.escrow_micro)`,
  );
  const payee = part(Prisma.sql`m.payee_id`, Prisma.sql`(1, 'earnings', m.host_micro)`);
  if (account === undefined) return Prisma.sql`${payer} UNION ALL ${payee}`;
  return account === "earnings" ? payee : payer;
}

/**
 * The newest with a value in a column that has an index with the id. A span of that index and not `=`: by a constant the
 * planner would take the order from the primary key and read everybody's movements, or sort all that one has.
 */
function newestOf(key: Prisma.Sql, value: string, { after, start, limit }: EntryPage): Prisma.Sql {
  const last = after?.id ?? MAX_ID;
  const rank = after?.rank ?? 0;
  return Prisma.sql`AND (${key}, m.id) >= (${value}, 0) AND (${key}, m.id) <= (${value}, ${last})
    AND (m.id < ${last} OR rank < ${rank}::int) ORDER BY ${key} DESC, m.id DESC, rank DESC LIMIT ${start + limit}`;
}

function conditionsOf({ from, to, kind, account, hostId }: EntryFilters): Prisma.Sql {
  const conditions = [
    from && Prisma.sql`AND m.at >= ${from}`,
    to && Prisma.sql`AND m.at < ${to}`,
    kind !== undefined && Prisma.sql`AND m.kind = ${kind}`,
    account !== undefined && Prisma.sql`AND account = ${account}`,
    hostId !== undefined && Prisma.sql`AND m.host_id = ${hostId}`,
  ].filter((condition) => condition instanceof Prisma.Sql);
  return conditions.length > 0 ? Prisma.join(conditions, " ") : Prisma.empty;
}
