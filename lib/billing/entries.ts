import type { movementKinds, OwnAccount } from "../contract/billing";
import { db, Prisma } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { Rate } from "../kernel/money";
import { rateSpans } from "./days";

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
      SELECT count(*)::int AS total FROM (${ownEntries(ctx, filters, Prisma.empty)}) entries`,
  ]);
  return { items, total: counted?.total ?? 0 };
}

/**
 * A page of one's own entries. Each account's part stops at the end of the page, so that the index on owner and id gives it
 * without a look at what is older.
 */
export function readEntries(ctx: Ctx, filters: EntryFilters, page: EntryPage): Promise<Entry[]> {
  const { after, start, limit } = page;
  const behind = after
    ? Prisma.sql`AND m.id <= ${after.id} AND (m.id < ${after.id} OR rank < ${after.rank}::int)`
    : Prisma.empty;
  const newest = Prisma.sql`${behind} ORDER BY m.id DESC, rank DESC LIMIT ${start + limit}`;
  return db().$queryRaw<Entry[]>`
    SELECT e.id, e.rank, e.at, to_char(e.day, 'YYYY-MM-DD') AS day, e.kind, e.account, e.micro, rates.units,
      e.instance_id AS "instanceId", e.host_id AS "hostId", e.reference
    FROM (SELECT * FROM (${ownEntries(ctx, filters, newest)}) own ORDER BY id DESC, rank DESC LIMIT ${limit} OFFSET ${start}) e
      JOIN (${rateSpans(page.currency)}) rates ON e.at >= rates.begins AND e.at < rates.ends
    ORDER BY e.id DESC, e.rank DESC`;
}

/**
 * The entries that movements made in one's own accounts: as their payer in balance and escrow, as who earns in earnings.
 * No other column of a movement is one's own.
 * @param rest what each of both parts ends with
 */
function ownEntries({ userId }: Ctx, filters: EntryFilters, rest: Prisma.Sql): Prisma.Sql {
  const { account } = filters;
  const where = conditionsOf(filters);
  const columns = Prisma.sql`m.id, rank, m.at, m.day, m.kind, account, micro, m.instance_id, m.host_id, m.reference`;
  const payer = Prisma.sql`(
    SELECT ${columns} FROM ledger_movement m, LATERAL (VALUES (3, 'balance', m.renter_micro), (2, 'escrow', m.escrow_micro)) own (rank, account, micro)
    WHERE m.user_id = ${userId} AND micro <> 0 ${where} ${rest})`;
  const payee = Prisma.sql`(
    SELECT ${columns} FROM ledger_movement m, LATERAL (VALUES (1, 'earnings', m.host_micro)) own (rank, account, micro)
    WHERE m.payee_id = ${userId} AND micro <> 0 ${where} ${rest})`;
  if (account === undefined) return Prisma.sql`${payer} UNION ALL ${payee}`;
  return account === "earnings" ? payee : payer;
}

function conditionsOf({ from, to, kind, account, instanceId, hostId }: EntryFilters): Prisma.Sql {
  const conditions = [
    from && Prisma.sql`AND m.at >= ${from}`,
    to && Prisma.sql`AND m.at < ${to}`,
    kind !== undefined && Prisma.sql`AND m.kind = ${kind}`,
    account !== undefined && Prisma.sql`AND account = ${account}`,
    instanceId !== undefined && Prisma.sql`AND m.instance_id = ${instanceId}`,
    hostId !== undefined && Prisma.sql`AND m.host_id = ${hostId}`,
  ].filter((condition) => condition instanceof Prisma.Sql);
  return conditions.length > 0 ? Prisma.join(conditions, " ") : Prisma.empty;
}
