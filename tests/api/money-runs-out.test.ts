import { describe, expect, it } from "vitest";
import { settleUsage } from "@/lib/billing/settle-usage";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { hearHost } from "@/lib/hosts/hear-host";
import { destroyInstance } from "@/lib/instances/destroy-instance";
import { followBalances } from "@/lib/worker/follow-balances";
import { followTime } from "@/lib/worker/follow-time";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callApi, makeAccount, makeOffer, makeTemplate, setBalance } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { useClock } from "../support/clock";
import { makeGpu, makeHost } from "../support/world";

useTestDatabase();
const clock = useClock();

const HOUR = 3600;
const DAY = 24 * HOUR;
/** 0.5 USD an hour, and 10 GB of disk at 0.1 a GB and month. */
const UPTIME_MICRO = 501_389n;
const PAUSE_MICRO = 126_389n;

async function reconcile(): Promise<void> {
  await db().$executeRaw`UPDATE instance SET due_at = clock.now() WHERE due_at > clock.now()`;
  await reconcileInstances((error) => {
    throw error;
  });
}

/** What a worker does each minute, twice, as if two did it; nothing may happen twice. */
async function minute(): Promise<void> {
  for (const job of [followTime, settleUsage, followBalances, followTime, settleUsage, followBalances])
    await job();
}

async function rent(body: object = {}, balanceUsd = 1000) {
  await makeGpu();
  const { userId, key } = await makeAccount({ balanceUsd });
  const { userId: ownerId } = await makeAccount({ balanceUsd: 0 });
  const host = await makeHost(ownerId);
  await db().$executeRaw`UPDATE host SET last_report_at = clock.now() WHERE id = ${host.hostId}`;
  const { templateId } = await makeTemplate(userId);
  const answer = await callApi(operations.createInstance, {
    key,
    body: { offer_id: host.offerId, template_id: templateId, ...body },
  });
  const instanceId = answer.body.data[0]?.id ?? "";
  await reconcile();
  return { userId, key, instanceId, ownerId, ...host };
}

type Life = Awaited<ReturnType<typeof rent>>;

/** Time goes by while the host reports. */
async function pass({ hostId }: Life, seconds: number): Promise<void> {
  await clock.pass(seconds);
  await db().$executeRaw`UPDATE host SET last_report_at = clock.now() WHERE id = ${hostId}`;
}

async function eventsOf({ userId }: Life): Promise<string[]> {
  return (await db().event.findMany({ where: { userId }, orderBy: { id: "asc" } })).map(({ type }) => type);
}

const balanceOf = ({ userId }: Life) => db().balance.findUniqueOrThrow({ where: { userId } });
const see = ({ instanceId }: Life) => db().instance.findUniqueOrThrow({ where: { id: instanceId } });

describe("money runs out", () => {
  it("MONEY-01 is told once at 24 hours left, pauses at zero, and destroys after the average day's spend", async () => {
    const life = await rent({}, 30);
    await pass(life, 30 * HOUR);
    await minute();
    expect(await balanceOf(life)).toMatchObject({ stage: "fine" });
    await pass(life, 6 * HOUR);
    await minute();
    expect(await eventsOf(life)).toEqual(["instance.created", "instance.running", "money.low"]);

    await pass(life, 24 * HOUR);
    await minute();
    expect(await see(life)).toMatchObject({ status: "paused", wanted: "paused" });
    expect((await eventsOf(life)).slice(3)).toEqual(["money.ended", "instance.paused"]);
    const empty = await balanceOf(life);
    const spent = (UPTIME_MICRO * 60n * 3600n) / 3600n;
    expect(empty.availableMicro).toBe(30_000_000n - spent);
    // From 10:00 for 60 hours: three days of the calendar.
    expect(empty).toMatchObject({ stage: "empty", graceMicro: spent / 3n, burnMicro: PAUSE_MICRO });

    const graceSeconds = Number(((empty.availableMicro + empty.graceMicro) * 3600n) / PAUSE_MICRO);
    await pass(life, graceSeconds);
    await minute();
    expect(await see(life)).toMatchObject({ status: "paused" });
    await pass(life, 60);
    await minute();
    expect(await see(life)).toMatchObject({ status: "destroyed" });
    expect((await eventsOf(life)).slice(5)).toEqual(["money.grace_ended", "instance.destroyed"]);
    expect(await balanceOf(life)).toMatchObject({ burnMicro: 0n });
    expect((await verifyLedger()).findings).toEqual([]);
  });

  it("MONEY-02 spares what was paid ahead, and lets nothing start until there is money again", async () => {
    const life = await rent({}, 400);
    const term = await callApi(operations.createInstance, {
      key: life.key,
      body: {
        offer_id: (await makeOffer()).offerId,
        template_id: (await makeTemplate(life.userId)).templateId,
        reserve_period: "month",
      },
    });
    await reconcile();
    await setBalance(life.userId, 1_000_000n);
    await pass(life, 3 * HOUR);
    await minute();
    expect((await see(life)).status).toBe("paused");
    const prepaid = await db().instance.findUniqueOrThrow({ where: { id: term.body.data[0]?.id ?? "" } });
    expect(prepaid).toMatchObject({ status: "running", burnMicro: 0n });
    const start = () =>
      callApi(operations.controlInstance, {
        key: life.key,
        params: { instance_id: life.instanceId },
        query: { action: "start" },
      });
    expect((await start()).error.code).toBe("insufficient_funds");
    await setBalance(life.userId, 50_000_000n);
    expect((await start()).status).toBe(200);
    await minute();
    expect(await balanceOf(life)).toMatchObject({ stage: "fine" });
    await destroyInstance({ userId: life.userId, requestId: "" }, life.instanceId);
  });

  it("MONEY-03 warns again only after there was enough meanwhile", async () => {
    const life = await rent({}, 10);
    await minute();
    await pass(life, 60);
    await minute();
    await setBalance(life.userId, 100_000_000n);
    await minute();
    await setBalance(life.userId, 2_000_000n);
    await minute();
    expect((await eventsOf(life)).filter((type) => type === "money.low")).toHaveLength(2);
    await destroyInstance({ userId: life.userId, requestId: "" }, life.instanceId);
  });
});

describe("a silent host", () => {
  it("MONEY-10 costs nothing from its last report on, is away from the market, and costs again when it is heard", async () => {
    const life = await rent();
    await pass(life, HOUR);
    await clock.pass(2 * HOUR);
    await minute();
    const spent = UPTIME_MICRO;
    expect((await balanceOf(life)).availableMicro).toBe(1_000_000_000n - spent);
    expect(await balanceOf(life)).toMatchObject({ burnMicro: 0n });
    const host = () => db().host.findUniqueOrThrow({ where: { id: life.hostId }, include: { offer: true } });
    expect(await host()).toMatchObject({
      status: "inactive",
      statusReason: "agent_unavailable",
      offer: { live: false },
    });
    await hearHost(life.hostId);
    expect(await host()).toMatchObject({ status: "active", statusReason: null, offer: { live: true } });
    await pass(life, HOUR);
    await minute();
    expect((await balanceOf(life)).availableMicro).toBe(1_000_000_000n - 2n * spent);
    expect((await eventsOf(life)).slice(2)).toEqual(["instance.host_silent", "instance.host_back"]);
  });

  it("MONEY-11 extends a paid term by its silence, to the microsecond", async () => {
    const life = await rent({ reserve_period: "week" });
    const before = (await see(life)).prepaidUntil?.getTime() ?? 0;
    await pass(life, DAY);
    await clock.pass(5000);
    await hearHost(life.hostId);
    await minute();
    const after = (await see(life)).prepaidUntil?.getTime() ?? 0;
    expect(after - before).toBe(5_000_000);
  });

  it("MONEY-12 silent over 24 hours lets the renter leave with all that is unused; under it as always", async () => {
    const [long, short] = [await rent({ reserve_period: "week" }), await rent({ reserve_period: "week" })];
    const paid = 79_800_000n; // 168 hours of 0.475
    await clock.pass(DAY);
    for (const { hostId } of [long, short]) {
      await db().$executeRaw`UPDATE host SET last_report_at = clock.now() WHERE id = ${hostId}`;
    }
    await clock.pass(23 * HOUR);
    await destroyInstance({ userId: short.userId, requestId: "" }, short.instanceId);
    await clock.pass(2 * HOUR);
    await minute();
    await destroyInstance({ userId: long.userId, requestId: "" }, long.instanceId);
    // 24 of 168 hours used: 0.95 × (79.8 − 24 × 0.5), and 144 hours at 0.475
    expect((await balanceOf(short)).availableMicro).toBe(1_000_000_000n - paid + 64_410_000n);
    expect((await balanceOf(long)).availableMicro).toBe(1_000_000_000n - paid + 68_400_000n);
    expect((await verifyLedger()).findings).toEqual([]);
  });
});

describe("a paid term", () => {
  it("MONEY-20 warns of its end once a term, 72 hours before", async () => {
    const life = await rent({ reserve_period: "week", auto_renew: true });
    await pass(life, 95 * HOUR);
    await minute();
    expect(await eventsOf(life)).not.toContain("instance.term_ending");
    await pass(life, 2 * HOUR);
    await minute();
    expect((await eventsOf(life)).filter((type) => type === "instance.term_ending")).toHaveLength(1);
    await pass(life, 71 * HOUR + 60);
    await minute();
    await pass(life, 97 * HOUR);
    await minute();
    expect((await eventsOf(life)).slice(2)).toEqual([
      "instance.term_ending",
      "instance.term_renewed",
      "instance.term_ending",
    ]);
  });

  it("MONEY-21 renewed and then ended early is judged by its last term alone", async () => {
    const life = await rent({ reserve_period: "day", auto_renew: true });
    await pass(life, 30 * HOUR);
    await destroyInstance({ userId: life.userId, requestId: "" }, life.instanceId);
    // Two days of 12 USD; of the second one 6 hours are used: 0.95 × (12 − 6 × 0.5)
    expect((await balanceOf(life)).availableMicro).toBe(1_000_000_000n - 24_000_000n + 8_550_000n);
    expect((await verifyLedger()).findings).toEqual([]);
  });

  it("MONEY-22 reaches its host second by second, less the operator's fee, and whole at its end", async () => {
    process.env.FEE_PERCENT = "12.5";
    const life = await rent({ reserve_period: "day" });
    process.env.FEE_PERCENT = "0";
    const earned = async () => {
      const { _sum } = await db().ledgerMovement.aggregate({
        where: { payeeId: life.ownerId },
        _sum: { hostMicro: true, feeMicro: true },
      });
      return [_sum.hostMicro, _sum.feeMicro];
    };
    await pass(life, 6 * HOUR);
    await minute();
    expect(await earned()).toEqual([2_625_000n, 375_000n]);
    await pass(life, 18 * HOUR);
    await minute();
    expect(await earned()).toEqual([10_500_000n, 1_500_000n]);
  });
});
