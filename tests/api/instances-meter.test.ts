import { describe, expect, it } from "vitest";
import { settleUsage } from "@/lib/billing/settle-usage";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { followTime } from "@/lib/worker/follow-time";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callApi, makeAccount, makeOffer, makeTemplate, setBalance } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { useClock } from "../support/clock";

useTestDatabase();
const clock = useClock();

const UPTIME_MICRO = 501_389n;
const PAUSE_MICRO = 126_389n;
const HOUR_US = 3_600_000_000n;
const START_MICRO = 1_000_000_000n;

async function reconcile(): Promise<void> {
  await db().$executeRaw`UPDATE instance SET due_at = now() WHERE due_at > now()`;
  await reconcileInstances((error) => {
    throw error;
  });
}

async function makeRunning(body: object = {}) {
  const { userId, key } = await makeAccount();
  const { templateId } = await makeTemplate(userId);
  const { offerId } = await makeOffer();
  const answer = await callApi(operations.createInstance, {
    key,
    body: { offer_id: offerId, template_id: templateId, ...body },
  });
  const instanceId = answer.body.data[0]?.id ?? "";
  await reconcile();
  return { userId, key, instanceId, params: { instance_id: instanceId } };
}

type Running = Awaited<ReturnType<typeof makeRunning>>;

interface Interval {
  kind: string;
  rate: bigint;
  us: bigint | null;
  settled: bigint;
  done: boolean;
}

/** The intervals in their order, their length in microseconds as the database wrote it. */
function intervalsOf({ instanceId }: Running): Promise<Interval[]> {
  return db().$queryRaw<Interval[]>`
    SELECT kind, rate_micro AS rate, (extract(epoch FROM ended_at - started_at) * 1000000)::bigint AS us,
      settled_micro AS settled, settled AS done
    FROM meter_interval WHERE instance_id = ${instanceId} ORDER BY started_at`;
}

const costOf = ({ rate, us }: Interval) => (rate * (us ?? 0n)) / HOUR_US;

async function availableOf({ userId }: Running): Promise<bigint> {
  return (await db().balance.findUniqueOrThrow({ where: { userId } })).availableMicro;
}

const control = (life: Running, action: "start" | "pause") =>
  callApi(operations.controlInstance, { key: life.key, params: life.params, query: { action } });
const destroy = (life: Running) => callApi(operations.deleteInstance, { key: life.key, params: life.params });

async function see(life: Running) {
  const { body } = await callApi(operations.listInstances, { key: life.key });
  const seen = body.data.find(({ id }) => id === life.instanceId);
  if (!seen) throw new Error("the instance is not in the list");
  return seen;
}

describe("the meter", () => {
  it("METER-01 takes to the microsecond what each interval cost, and nothing while it boots", async () => {
    const life = await makeRunning();
    await clock.pass(5000);
    await control(life, "pause");
    await clock.pass(7777);
    await control(life, "start");
    await reconcile();
    await clock.pass(60);
    await destroy(life);
    const intervals = await intervalsOf(life);
    expect(intervals.map(({ kind, rate }) => [kind, rate])).toEqual([
      ["running", UPTIME_MICRO],
      ["paused", PAUSE_MICRO],
      ["running", UPTIME_MICRO],
    ]);
    for (const interval of intervals) {
      expect(interval.settled).toBe(costOf(interval));
      expect(interval.done).toBe(true);
    }
    const cost = intervals.reduce((sum, interval) => sum + costOf(interval), 0n);
    expect(await availableOf(life)).toBe(START_MICRO - cost);
  });

  it("METER-02 tells cost and seconds of running up to this moment, and the cost in the currency asked for", async () => {
    const life = await makeRunning();
    await clock.pass(7200);
    const seen = await see(life);
    expect(seen.total_cost).toBeCloseTo(1.002778, 3);
    expect(seen.total_uptime).toBeGreaterThanOrEqual(7200);
    expect(seen.total_uptime).toBeLessThan(7230);
    const { body } = await callApi(operations.listInstances, { key: life.key, query: { currency: "RUB" } });
    expect(body.data[0]?.total_cost).toBeCloseTo(80.222, 1);
    await control(life, "pause");
    const paused = await see(life);
    await clock.pass(3600);
    const later = await see(life);
    expect(later.total_uptime).toBe(paused.total_uptime);
    expect(later.total_cost - paused.total_cost).toBeCloseTo(0.126389, 4);
  });

  it("METER-03 settling takes what is owed once: repeated, and by many at once", async () => {
    const life = await makeRunning();
    await clock.pass(36_000);
    await Promise.all(Array.from({ length: 6 }, () => settleUsage()));
    await settleUsage();
    const [open] = await intervalsOf(life);
    expect(START_MICRO - (await availableOf(life))).toBe(open?.settled);
    expect(open?.settled).toBeGreaterThanOrEqual(5_013_890n);
    expect(open?.settled).toBeLessThan(5_020_000n);
    expect(open?.done).toBe(false);
    await destroy(life);
    const [closed] = await intervalsOf(life);
    if (!closed) throw new Error("no interval");
    expect(START_MICRO - (await availableOf(life))).toBe(costOf(closed));
  });

  it("METER-04 settling and moving at once neither lose nor double a micro-unit, and never wait for each other for ever", async () => {
    const lives = await Promise.all(Array.from({ length: 6 }, () => makeRunning()));
    await clock.pass(3600);
    for (const action of ["pause", "start"] as const) {
      const settling = Array.from({ length: 12 }, () => settleUsage());
      const answers = await Promise.all(lives.map((life) => control(life, action)));
      await Promise.all(settling);
      expect(answers.map(({ status }) => status)).toEqual(lives.map(() => 200));
    }
    await Promise.all([...lives.map(destroy), settleUsage()]);
    await settleUsage();
    for (const life of lives) {
      const cost = (await intervalsOf(life)).reduce((sum, interval) => sum + costOf(interval), 0n);
      expect(START_MICRO - (await availableOf(life))).toBe(cost);
    }
  });

  it("METER-05 the first two minutes of a reboot are free, what is beyond is not", async () => {
    const life = await makeRunning();
    await callApi(operations.rebootInstance, { key: life.key, params: life.params });
    await db().$executeRaw`
      INSERT INTO simulated_container (instance_id, boot, booted_at, pull_ms) VALUES (${life.instanceId}, 1, now(), 3600000)
      ON CONFLICT (instance_id) DO UPDATE SET boot = 1, booted_at = now(), pull_ms = 3600000`;
    await reconcile();
    expect((await intervalsOf(life)).filter(({ us }) => us === null)).toEqual([]);
    await clock.pass(121);
    await reconcile();
    await reconcile();
    expect((await see(life)).status).toBe("rebooting");
    const open = (await intervalsOf(life)).filter(({ us }) => us === null);
    expect(open).toMatchObject([{ kind: "running", rate: UPTIME_MICRO }]);
  });
});

describe("a term paid ahead", () => {
  it("METER-10 costs what was paid, however long it runs and whether it pauses", async () => {
    const life = await makeRunning({ reserve_period: "day" });
    await clock.pass(40_000);
    await control(life, "pause");
    await clock.pass(40_000);
    await settleUsage();
    expect(await availableOf(life)).toBe(START_MICRO - 12_000_000n);
    const seen = await see(life);
    expect(seen).toMatchObject({ is_prepaid: true, total_cost: 12 });
    expect(seen.total_uptime).toBeGreaterThanOrEqual(40_000);
  });

  it("METER-11 given up early it pays 0.95 of what the used time leaves at the undiscounted rate, once", async () => {
    const life = await makeRunning({ reserve_period: "month" });
    expect(await availableOf(life)).toBe(START_MICRO - 288_000_000n);
    await clock.pass(100 * 3600);
    await Promise.all([destroy(life), destroy(life)]);
    // 288 paid, 100 hours of 0.5 used: 0.95 × 238
    const back = (await availableOf(life)) - (START_MICRO - 288_000_000n);
    expect(back).toBeLessThanOrEqual(226_100_000n);
    expect(back).toBeGreaterThan(226_090_000n);
  });

  it("METER-12 at its end it goes on by the second at the locked price", async () => {
    const life = await makeRunning({ reserve_period: "day" });
    await clock.pass(86_500);
    await Promise.all([followTime(), followTime()]);
    expect(await see(life)).toMatchObject({ status: "running", is_prepaid: false, prepaid_until: null });
    await clock.pass(3600);
    await destroy(life);
    const [term, after, ...more] = await intervalsOf(life);
    if (!term || !after) throw new Error("an interval is missing");
    expect(more).toEqual([]);
    expect([term.rate, term.settled, after.rate]).toEqual([500_000n, 12_000_000n, UPTIME_MICRO]);
    expect(costOf(after)).toBe((UPTIME_MICRO * 3700n) / 3600n);
    expect(await availableOf(life)).toBe(START_MICRO - 12_000_000n - costOf(after));
  });

  it("METER-13 or renews itself where that was asked and can be paid, once", async () => {
    const life = await makeRunning({ reserve_period: "day", auto_renew: true });
    await clock.pass(86_500);
    await Promise.all([followTime(), followTime(), followTime()]);
    expect(await availableOf(life)).toBe(START_MICRO - 24_000_000n);
    expect(await see(life)).toMatchObject({ is_prepaid: true, total_cost: 24 });
    await setBalance(life.userId, 1_000_000n);
    await clock.pass(86_400);
    await followTime();
    expect(await see(life)).toMatchObject({ is_prepaid: false, status: "running" });
    expect(await availableOf(life)).toBe(1_000_000n);
  });
});
