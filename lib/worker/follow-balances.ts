import { asSettler } from "../billing/settle-usage";
import { db, Prisma, type Tx } from "../db/client";
import { destroyLocked } from "../instances/destroy-instance";
import type { LockedInstance } from "../instances/instance-row";
import { moveInstance } from "../instances/move-instance";
import { eachInstance, type OnError, rethrow } from "./each-instance";

const WARNING_HOURS = 24;
const SPEND_DAYS = 30;
const AT_ONCE = 1000;
const REASON = "money_ended";

/**
 * Follows what is left of balances: a warning when it covers less than 24 hours of what costs now, a pause of everything
 * by the hour at zero, and destruction once the debt passes the average day's spend. Each is told once, until there is
 * money again. What was paid ahead goes on to the end of its term.
 */
export async function followBalances(onError: OnError = rethrow): Promise<void> {
  await asSettler(moveStages);
  await endWhatCosts("running", pauseUnpaid, onError);
  await endWhatCosts("over", destroyUnpaid, onError);
}

/** The stage and its event in one statement, so that each is told once, by whichever worker is first. */
async function moveStages(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    WITH judged AS (
      SELECT user_id, stage AS was, CASE
        WHEN burn_micro = 0 THEN 'fine'
        WHEN stage IN ('empty', 'over') AND available_micro < -grace_micro THEN 'over'
        WHEN available_micro <= 0 THEN 'empty'
        WHEN available_micro < burn_micro * ${WARNING_HOURS}::int THEN 'low'
        ELSE 'fine' END AS stage
      FROM balance WHERE burn_micro > 0 OR stage <> 'fine'
    ), moved AS (
      UPDATE balance b SET stage = j.stage,
        grace_micro = CASE WHEN j.stage = 'empty' AND j.was NOT IN ('empty', 'over') THEN ${averageDay} ELSE b.grace_micro END
      FROM judged j WHERE b.user_id = j.user_id AND b.stage = j.was AND j.stage <> j.was
      RETURNING b.user_id, j.was, b.stage, b.available_micro, b.burn_micro, b.grace_micro
    ) INSERT INTO event (user_id, subject_id, type, data)
      SELECT user_id, user_id, CASE stage WHEN 'low' THEN 'money.low' WHEN 'empty' THEN 'money.ended' ELSE 'money.grace_ended' END,
        jsonb_build_object('available_micro', available_micro::text, 'burn_micro', burn_micro::text, 'grace_micro', grace_micro::text)
      FROM moved WHERE array_position(ARRAY['fine', 'low', 'empty', 'over'], stage) > array_position(ARRAY['fine', 'low', 'empty', 'over'], was)`;
}

const today = Prisma.sql`(clock_timestamp() AT TIME ZONE 'UTC')::date`;

/** What a day by the hour has cost on average, since the first such day of the last 30; at least an hour of what costs now. */
const averageDay = Prisma.sql`(SELECT greatest(b.burn_micro, coalesce(-sum(m.renter_micro) / (max(${today}) - min(m.day) + 1), 0))::bigint
  FROM ledger_movement m WHERE m.user_id = b.user_id AND m.kind = 'usage' AND m.day > ${today} - ${SPEND_DAYS}::int)`;

/** Everything by the hour of those without money: what runs, or at the end of the grace all of it. */
async function endWhatCosts(
  which: "running" | "over",
  end: (tx: Tx, row: LockedInstance) => Promise<void>,
  onError: OnError,
): Promise<void> {
  const affected =
    which === "running"
      ? Prisma.sql`b.stage IN ('empty', 'over') AND i.status = 'running'`
      : Prisma.sql`b.stage = 'over'`;
  const rows = await db().$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT i.id FROM balance b JOIN instance i ON i.user_id = b.user_id
    WHERE ${affected} AND i.holds_lease AND i.status <> 'destroyed' AND i.prepaid_until IS NULL
    ORDER BY random() LIMIT ${AT_ONCE}`);
  const ids = rows.map(({ id }) => id);
  await eachInstance(ids, onError, async (tx, row) => {
    if (row.prepaidUntil === null && (await isStill(tx, row.userId, which))) await end(tx, row);
  });
}

/** Money may have come in a moment ago. */
async function isStill(tx: Tx, userId: string, which: "running" | "over"): Promise<boolean> {
  const limit = which === "running" ? Prisma.sql`0` : Prisma.sql`-grace_micro - 1`;
  const still = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM balance WHERE user_id = ${userId} AND available_micro <= ${limit}`;
  return still.length > 0;
}

async function pauseUnpaid(tx: Tx, row: LockedInstance): Promise<void> {
  if (row.status !== "running") return;
  await moveInstance(tx, row, {
    status: "paused",
    phase: "pausing",
    message: "paused: the balance is used up. Add money, then start it again",
    wanted: "paused",
    event: "instance.paused",
    reason: REASON,
  });
}

function destroyUnpaid(tx: Tx, row: LockedInstance): Promise<void> {
  return destroyLocked(tx, row, "platform", { reason: REASON });
}
