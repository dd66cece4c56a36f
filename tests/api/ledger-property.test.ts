import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settle } from "@/lib/billing/meter";
import { settleUsage } from "@/lib/billing/settle-usage";
import { verifyLedger } from "@/lib/billing/verify-ledger";
import { createSeededRandom, type SeededRandom } from "@/lib/catalogue/seeded-random";
import { db, inTransaction, Prisma } from "@/lib/db/client";
import { hearHost } from "@/lib/hosts/hear-host";
import { controlInstance } from "@/lib/instances/control-instance";
import { destroyAnyInstance, destroyInstance } from "@/lib/instances/destroy-instance";
import { listInstances } from "@/lib/instances/list-instances";
import { rebootInstance } from "@/lib/instances/reboot-instance";
import { rentOffer } from "@/lib/instances/rent-offer";
import { DomainError } from "@/lib/kernel/errors";
import { claimInstances } from "@/lib/worker/claim-instances";
import { followBalances } from "@/lib/worker/follow-balances";
import { followTime } from "@/lib/worker/follow-time";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { useClock } from "../support/clock";
import { CostModel, type Period, periods } from "../support/cost-model";
import { makeGpu, makeHost } from "../support/world";

useTestDatabase();
const clock = useClock();

const SEED = Number(process.env.LEDGER_SEED ?? 20261121);
const HISTORIES = Number(process.env.LEDGER_HISTORIES ?? 1000);
const AT_ONCE = 250;
const TICKS = 16;
const STEPS_SECONDS: [number, ...number[]] = [
  0, 1, 29.999_999, 59, 61, 119.5, 601, 3_600, 40_000.000_001, 86_400, 90_061, 400_000, 2_600_000,
];
const BALANCE_USD = 5_000_000;

interface History {
  userId: string;
  hostId: string;
  payeeId: string;
  instanceId: string;
  model: CostModel;
  /** Its own, so that a seed gives the same history whatever runs beside it. */
  random: SeededRandom;
  /** Whether its host reports, and when it did last, in microseconds. */
  heard: boolean;
  lastReport: bigint;
  log: string[];
}

const random = createSeededRandom(String(SEED));
const ctxOf = ({ userId }: { userId: string }) => ({ userId, requestId: "test" });

/** Each round of the clock, the node's own clock is an hour off, to either side. */
let skew = 1;
const skewNode = () => {
  skew = -skew;
  vi.setSystemTime(Date.now() + skew * 3_600_000);
};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function begin(at: bigint): Promise<History> {
  const { userId } = await makeAccount({ balanceUsd: BALANCE_USD });
  const { userId: payeeId } = await makeAccount({ balanceUsd: 0 });
  const { hostId, offerId } = await makeHost(payeeId);
  const price = BigInt(1 + Math.floor(random.unit() * 10 ** random.pick([3, 5, 6, 7])));
  const diskPrice = BigInt(Math.floor(random.unit() * 300_000));
  const feeBasisPoints = random.pick([0, 1, 725, 2_000, 3_333]);
  const diskGb = random.pick([1, 10, 333]);
  await db().host.update({ where: { id: hostId }, data: { agentId: hostId } });
  await db().$executeRaw`UPDATE host SET last_report_at = clock.now() WHERE id = ${hostId}`;
  await db().offer.update({ where: { id: offerId }, data: { priceMicro: price, diskPriceMicro: diskPrice } });
  const onStartCommand = random.chance(0.2) ? "train && exit 3" : null;
  const { templateId } = await makeTemplate(userId, { onStartCommand });
  const period: Period = random.pick(periods);
  const autoRenew = random.chance(0.5);
  process.env.FEE_PERCENT = String(feeBasisPoints / 100);
  const instanceId = await rentOffer(ctxOf({ userId }), {
    offerId,
    templateId,
    reservePeriod: period,
    diskGb,
    secretIds: [],
    name: undefined,
    label: false,
    autoRenew,
    expectedPrice: undefined,
    currency: "USD",
  });
  const model = new CostModel({
    price,
    diskPrice,
    diskGb: BigInt(diskGb),
    pauseShare: 25n,
    feeBasisPoints: BigInt(feeBasisPoints),
    period,
    autoRenew,
  });
  const log = [`${period} at ${price}, fee ${feeBasisPoints}, ${autoRenew ? "renews" : "ends"}`];
  const own = createSeededRandom(String(random.unit()));
  return { userId, payeeId, hostId, instanceId, model, random: own, heard: true, lastReport: at, log };
}

/** Does what a person or an operator may do now; what is refused changes nothing. */
async function act(history: History, at: bigint): Promise<void> {
  const { model, instanceId, lastReport } = history;
  const ctx = ctxOf(history);
  const verb = history.random.pick(["pause", "start", "reboot", "pause", "start", "destroy", "ban"]);
  if (verb === "destroy" && history.random.chance(0.5)) return;
  try {
    if (verb === "pause" || verb === "start") await controlInstance(ctx, instanceId, verb);
    else if (verb === "reboot") await rebootInstance(ctx, instanceId);
    else if (verb === "destroy") await destroyInstance(ctx, instanceId);
    else if (history.random.chance(0.3)) await destroyAnyInstance(instanceId);
    else return;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return;
  }
  history.log.push(`${at} ${verb}`);
  if (verb === "pause" && model.status !== "paused") model.move("paused", at, lastReport);
  if (verb === "start" && model.status === "paused") model.move("pending", at, lastReport);
  if (verb === "reboot") model.move("rebooting", at, lastReport);
  if (verb === "destroy") model.end(at, lastReport, "renter");
  if (verb === "ban") model.end(at, lastReport, "platform");
}

/** The host reports, falls silent or comes back. */
async function report(history: History, at: bigint): Promise<void> {
  const { hostId, model, log } = history;
  if (history.heard && history.random.chance(0.15)) {
    history.heard = false;
    log.push(`${at} silent since ${history.lastReport}`);
  } else if (!history.heard && history.random.chance(0.4)) {
    model.hear(at, history.lastReport);
    await hearHost(hostId);
    log.push(`${at} heard`);
    history.heard = true;
    history.lastReport = at;
  } else if (history.heard) {
    // Stands for all the reports since the last look.
    await db().$executeRaw`UPDATE host SET last_report_at = clock.now() WHERE id = ${hostId}`;
    history.lastReport = at;
  }
}

/** Any job of a worker, also twice at once, cut off in the middle, or repeated. */
async function work(): Promise<void> {
  const fail = (error: unknown) => {
    throw error;
  };
  const cutOff = () =>
    inTransaction(async (tx) => {
      await settle(tx, Prisma.sql`true`, 50);
      throw new Error("killed");
    }).catch((error: Error) => expect(error.message).toBe("killed"));
  const jobs: [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
    settleUsage,
    followTime,
    followBalances,
    cutOff,
    () => reconcileInstances(fail),
  ];
  for (let i = 0; i < 3; i++) await Promise.all([random.pick(jobs)(), random.pick(jobs)()]);
  if (random.chance(0.3)) await claimInstances(30); // and never comes back
}

/** Brings every container to where it is wanted, and tells the models what that made of it. */
async function reconcileAll(histories: History[], at: bigint): Promise<void> {
  await db().$executeRaw`UPDATE instance SET due_at = clock.now() WHERE due_at > clock.now()`;
  const fail = (error: unknown) => {
    throw error;
  };
  while ((await reconcileInstances(fail)) + (await reconcileInstances(fail)) > 0);
  await follow(histories, at);
}

async function follow(histories: History[], at: bigint): Promise<void> {
  const rows = await db().instance.findMany({ select: { id: true, status: true } });
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  for (const { instanceId, model, lastReport, log } of histories) {
    const status = statuses.get(instanceId);
    if (status === model.status || (status !== "running" && status !== "error")) continue;
    model.move(status, at, lastReport);
    log.push(`${at} is ${status}`);
  }
}

async function expectExact(history: History): Promise<void> {
  const { userId, payeeId, instanceId, model, log } = history;
  const [sums] = await db().$queryRaw<
    { available: bigint; earned: bigint; fee: bigint; refunded: bigint; paid: bigint }[]
  >`
    SELECT (SELECT available_micro FROM balance WHERE user_id = ${userId}) AS available,
      coalesce(sum(host_micro) FILTER (WHERE payee_id = ${payeeId}), 0)::bigint AS earned,
      coalesce(sum(fee_micro), 0)::bigint AS fee, coalesce(sum(renter_micro) FILTER (WHERE kind = 'refund'), 0)::bigint AS refunded,
      coalesce(-sum(renter_micro) FILTER (WHERE renter_micro < 0), 0)::bigint AS paid
    FROM ledger_movement WHERE instance_id = ${instanceId}`;
  if (!sums) throw new Error("no sums");
  const cost = BigInt(BALANCE_USD) * 1_000_000n - sums.available;
  const told = log.join("\n");
  expect([cost, sums.refunded, sums.fee, sums.earned], told).toEqual([
    model.cost,
    model.refunded,
    model.fee,
    model.cost - model.fee,
  ]);
  expect(sums.refunded, told).toBeLessThanOrEqual(sums.paid);
}

/** What an instance shows is what its model has counted, for those that are heard. */
async function expectShown(histories: History[], at: bigint): Promise<void> {
  for (const { userId, model, heard, log } of histories) {
    if (!heard || model.status === "destroyed" || model.isSilent) continue;
    const { items } = await listInstances(ctxOf({ userId }), { start: 0, limit: 10 });
    expect(items[0]?.totalCostMicro, log.join("\n")).toBe(model.costAt(at));
  }
}

async function inPortions<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const take = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, take));
}

describe("money over random histories", () => {
  const rounds = Math.ceil(HISTORIES / AT_ONCE);
  it.each(Array.from({ length: rounds }, (_, i) => i))(
    `LED-10 every history costs exactly what the model says, seed ${SEED}, round %#`,
    { timeout: 600_000 },
    async () => {
      await makeGpu();
      const histories: History[] = [];
      let at = await clock.nowMicroseconds();
      for (let i = 0; i < AT_ONCE; i++) histories.push(await begin(at));
      for (let tick = 0; tick < TICKS; tick++) {
        skewNode();
        await clock.pass(random.pick(STEPS_SECONDS));
        at = await clock.nowMicroseconds();
        await inPortions(histories, (history) => report(history, at));
        if (random.chance(0.5)) await work();
        await follow(histories, at);
        await inPortions(histories, async (history) => {
          if (history.random.chance(0.4)) await act(history, at);
        });
        await follow(histories, at);
        if (random.chance(0.7)) await reconcileAll(histories, at);
        if (random.chance(0.5)) await work();
        await follow(histories, at);
      }
      for (const { model, lastReport } of histories) model.pass(at, lastReport);
      await followTime();
      await expectShown(histories.slice(0, 60), at);
      await inPortions(histories, async (history) => {
        if (history.model.status === "destroyed") return;
        await destroyInstance(ctxOf(history), history.instanceId);
        history.model.end(at, history.lastReport, "renter");
      });
      for (const history of histories) await expectExact(history);
      expect((await verifyLedger()).findings).toEqual([]);
      const lived = histories.map(({ log }) => log.join("\n"));
      for (const what of ["heard", "destroy", "ban", "pause", "reboot", "is error"]) {
        expect(
          lived.some((log) => log.includes(what)),
          what,
        ).toBe(true);
      }
      expect(histories.some(({ model }) => model.refunded > 0n)).toBe(true);
    },
  );
});
