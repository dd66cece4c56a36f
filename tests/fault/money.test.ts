import { describe, expect, it } from "vitest";
import { settleUsage } from "@/lib/billing/settle-usage";
import { db } from "@/lib/db/client";
import { destroyInstance } from "@/lib/instances/destroy-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { countSettled, expectSoundLedger } from "../support/audit-ledger";
import { HOUR, MONTH, OFFERS, type RushResult, rush } from "../support/rush";
import { startServer } from "../support/server";
import {
  connectBlocker,
  makeCommitsWait,
  standInTheWay,
  urlOf,
  waitUntilGone,
  waitUntilStopped,
} from "../support/settling-victim";
import { waitUntil } from "../support/wait-until";
import { makeGpu, makeHost, rent } from "../support/world";

useTestDatabase();

const startWeb = () => startServer({ DATABASE_URL: process.env.DATABASE_URL ?? "", ROLE: "web" });

function expectWholeRush(result: RushResult): void {
  const { won, lost, seen, instances, leased } = result;
  expect(lost).toEqual(Array(OFFERS - won.length).fill("402 insufficient_funds"));
  expect({ instances, leased }).toEqual({ instances: won.length, leased: won.length });
  expect(seen.filter(({ available, burn }) => available < 0n || available < burn)).toEqual([]);
}

describe("one balance and 20 rents at once", () => {
  it("FLT-20 money for one month rents one of 20 offers by the month at once, and the balance is never below zero", async () => {
    const nodes = [(await startWeb()).url, (await startWeb()).url];
    for (let round = 0; round < 8; round += 1) {
      const urls = nodes.slice(0, 1 + (round % 2));
      const result = await rush({ urls, balanceMicro: MONTH, periodOf: () => "month" });
      expectWholeRush(result);
      expect(result).toMatchObject({ won: ["month"], prepaid: [-MONTH] });
      expect(result.seen.at(-1)).toEqual({ available: 0n, burn: 0n });
    }
    await expectSoundLedger("after months");
  }, 60_000);

  it("FLT-21 money for an hour of so many rents so many by the hour, also where terms paid ahead take from it", async () => {
    const nodes = [(await startWeb()).url, (await startWeb()).url];
    for (const most of [1, 2, 7, 19]) {
      const balanceMicro = HOUR * BigInt(most) + HOUR - 1n;
      const result = await rush({ urls: nodes, balanceMicro, periodOf: () => "hour" });
      expectWholeRush(result);
      expect(result.won).toHaveLength(most);
      expect(result.seen.at(-1)).toEqual({ available: balanceMicro, burn: HOUR * BigInt(most) });
      const mixed = await rush({
        urls: nodes,
        balanceMicro: MONTH + balanceMicro,
        periodOf: (index) => (index % 2 ? "month" : "hour"),
      });
      expectWholeRush(mixed);
      expect(mixed.prepaid).toHaveLength(mixed.won.filter((period) => period === "month").length);
    }
    await expectSoundLedger("after hours and months");
  }, 60_000);
});

/** Ten micro-units a second; days are owed of it. */
const RATE = 36_000n;
const RENTERS = 6;
const DAYS_OWED = 3;

/** Running instances, by the hour and by the month paid ahead, of several renters on several hosts, that owe for days. */
async function makeDebts(): Promise<{ id: string; userId: string }[]> {
  await makeGpu();
  const owner = await makeAccount({ balanceUsd: 0 });
  for (let renter = 0; renter < RENTERS; renter += 1) {
    const { userId, key } = await makeAccount({ balanceUsd: 90_000_000 });
    const { templateId } = await makeTemplate(userId);
    const { offerId } = await makeHost(owner.userId);
    const data = { priceMicro: RATE, diskPriceMicro: BigInt(renter) * 333n };
    await db().offer.update({ where: { id: offerId }, data });
    const others = await Promise.all([1, 2, 3, 4].map(() => makeOffer(data)));
    for (const [index, offer] of [{ offerId }, ...others].entries()) {
      const term = index % 2 ? { reserve_period: "month" as const } : {};
      await rent(key, { offer_id: offer.offerId, template_id: templateId, ...term });
    }
  }
  await db().instance.updateMany({ data: { feeBasisPoints: 725 } });
  await reconcileUntil(async () => (await countSettled()).open === RENTERS * 5);
  await db().$executeRaw`
    UPDATE meter_interval SET started_at = started_at - make_interval(days => ${DAYS_OWED}::int),
      settled_until = settled_until - make_interval(days => ${DAYS_OWED}::int)`;
  await db().$executeRaw`
    UPDATE instance SET prepaid_until = prepaid_until - make_interval(days => ${DAYS_OWED}::int) WHERE prepaid_until IS NOT NULL`;
  return db().instance.findMany({ select: { id: true, userId: true } });
}

/** Nothing runs any more, and every interval has cost its rate by its whole time, in one chain of settlements. */
async function expectAllSettled(): Promise<void> {
  const { open, unsettled } = await countSettled();
  expect({ open, unsettled }).toEqual({ open: 0, unsettled: 0 });
  const intervals = await db().$queryRaw<{ rate: bigint; microseconds: bigint; moved: bigint }[]>`
    SELECT m.rate_micro AS rate, (extract(epoch FROM m.ended_at - m.started_at) * 1000000)::bigint AS microseconds,
      (SELECT -sum(renter_micro + escrow_micro)::bigint FROM ledger_movement l WHERE l.interval_id = m.id) AS moved
    FROM meter_interval m`;
  expect(intervals.length).toBeGreaterThan(0);
  for (const { rate, microseconds, moved } of intervals) {
    expect(moved).toBe((rate * microseconds) / 3_600_000_000n);
  }
  await expectSoundLedger("when all is settled");
}

async function reconcileUntil(done: () => Promise<boolean>): Promise<void> {
  const rethrow = (error: unknown) => {
    throw error;
  };
  await waitUntil("the reconciler is through", async () => {
    await reconcileInstances(rethrow);
    return done();
  });
}

describe("kill -9 while it settles", () => {
  it("FLT-22 of workers and servers, 20 times, in a settlement, at its commit and after it: each is there once or not at all", async () => {
    const instances = await makeDebts();
    const blocker = await connectBlocker();
    await makeCommitsWait();
    for (let round = 0; round < 20; round += 1) {
      const victim = `victim-${round}`;
      const moment = (["in its statement", "at its commit", "after it"] as const)[round % 3] ?? "after it";
      const before = await countSettled();
      const stopped = moment === "after it" ? null : await standInTheWay(blocker, moment);
      const starting = startServer({ DATABASE_URL: urlOf(victim), ROLE: round % 2 ? "both" : "worker" });
      if (moment === "after it")
        await waitUntil("it has settled", async () => (await countSettled()).micro > before.micro);
      else await waitUntilStopped(victim, moment);
      await (await starting).kill("SIGKILL");
      await stopped?.();
      await waitUntilGone(victim);
      const after = await countSettled();
      expect(after.micro > before.micro, `round ${round}, killed ${moment}`).toBe(
        moment !== "in its statement",
      );
      await expectSoundLedger(`after round ${round}, killed ${moment}`);
    }
    await Promise.all(instances.map(({ id, userId }) => destroyInstance({ userId, requestId: "test" }, id)));
    await settleUsage();
    await expectAllSettled();
  }, 120_000);
});
