import { beforeAll, describe, expect, it } from "vitest";
import { setRate } from "@/lib/billing/exchange-rates";
import { createPayout } from "@/lib/billing/payouts";
import { settleUsage } from "@/lib/billing/settle-usage";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
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
/** 0.5 USD an hour, and 10 GB of disk at 0.1 a GB and month. */
const UPTIME_MICRO = 501_389n;
const START_MICRO = 1_000_000_000n;
const usd = (micro: bigint) => Number(micro) / 1e6;
const costOf = (seconds: number, rate = UPTIME_MICRO) => (rate * BigInt(seconds)) / 3600n;

beforeAll(async () => {
  process.env.FEE_PERCENT = "5";
  await makeGpu();
});

interface Renter {
  userId: string;
  key: string;
}

async function rent({ userId, key }: Renter, offerId: string, body: object = {}): Promise<string> {
  const { templateId } = await makeTemplate(userId);
  const answer = await callApi(operations.createInstance, {
    key,
    body: { offer_id: offerId, template_id: templateId, ...body },
  });
  await db().$executeRaw`UPDATE instance SET due_at = clock.now() WHERE due_at > clock.now()`;
  await reconcileInstances((error) => {
    throw error;
  });
  return answer.body.data[0]?.id ?? "";
}

/** Lets the clock pass to an hour of the day, UTC, so that days end where the test says. */
async function passUntil(hourOfDay: number): Promise<void> {
  const now = Number((await clock.nowMicroseconds()) / 1_000_000n);
  await clock.pass((hourOfDay * HOUR - (now % (24 * HOUR)) + 24 * HOUR) % (24 * HOUR));
}

type Query = Record<string, string | number>;

async function entriesOf(key: string, query: Query = {}) {
  const { body } = await callApi(operations.listBillingEntries, { key, query });
  return body;
}

const billingOf = async (key: string, query: Query = {}) =>
  (await callApi(operations.getBilling, { key, query })).body.data;
const usageOf = async (key: string, query: Query = {}) =>
  (await callApi(operations.listBillingUsage, { key, query })).body;

describe("GET /v0/billing", () => {
  it("BILL-01 says to the micro-unit what there is, is accrued, costs an hour and is paid ahead, and when it ends", async () => {
    const renter = await makeAccount();
    await rent(renter, (await makeOffer()).offerId);
    await rent(renter, (await makeOffer()).offerId, { reserve_period: "day" });
    await clock.pass(1801);
    const accrued = costOf(1801);
    const inEscrow = 12_000_000n;
    expect(await billingOf(renter.key)).toEqual({
      currency: "USD",
      rate: { units_per_usd: "1", effective_at: "2026-01-01T00:00:00.000Z" },
      balance: usd(START_MICRO - inEscrow),
      accrued: usd(accrued),
      burn_rate: usd(UPTIME_MICRO),
      money_ends_at: expect.any(String),
      stage: "fine",
      grace: null,
      escrow: usd(inEscrow),
      earned: 0,
      paid_out: 0,
      owed: 0,
    });
    const seen = await billingOf(renter.key, { currency: "RUB" });
    const left = START_MICRO - inEscrow - accrued;
    const end = Number((await clock.nowMicroseconds()) / 1000n) + Number((left * 3_600_000n) / UPTIME_MICRO);
    expect(seen.money_ends_at).toBe(new Date(end).toISOString());
    expect(seen).toMatchObject({ rate: { units_per_usd: "80" }, escrow: 960, burn_rate: 40.11112 });
    await settleUsage();
    const settled = await billingOf(renter.key);
    expect(settled).toMatchObject({ accrued: 0, money_ends_at: seen.money_ends_at });
    expect(settled).toMatchObject({ balance: usd(left), escrow: usd(inEscrow - costOf(1801, 500_000n)) });
  });

  it("BILL-02 knows no end where nothing costs or the money lasts for ever, and the stages and the grace otherwise", async () => {
    const renter = await makeAccount();
    expect(await billingOf(renter.key)).toMatchObject({ burn_rate: 0, money_ends_at: null, stage: "fine" });
    await rent(renter, (await makeOffer({ priceMicro: 1n, diskPriceMicro: 0n })).offerId);
    expect(await billingOf(renter.key)).toMatchObject({ burn_rate: 0.000001, money_ends_at: null });
    await rent(renter, (await makeOffer()).offerId);
    await setBalance(renter.userId, 2_000_000n);
    await followBalances();
    expect(await billingOf(renter.key)).toMatchObject({ stage: "low", grace: null });
    await clock.pass(4 * HOUR);
    const now = new Date(Number((await clock.nowMicroseconds()) / 1000n)).toISOString();
    expect(await billingOf(renter.key)).toMatchObject({ money_ends_at: now, balance: 2 });
    await settleUsage();
    await followBalances();
    const empty = await billingOf(renter.key);
    expect(empty).toMatchObject({ stage: "empty", accrued: 0 });
    expect(empty.balance).toBeLessThan(0);
    expect(empty.grace).toBeGreaterThan(0);
  });

  it("BILL-03 tells a host owner what was earned, paid out and is owed, after the fee", async () => {
    const owner = await makeAccount({ balanceUsd: 0 });
    const { offerId } = await makeHost(owner.userId);
    await rent(await makeAccount(), offerId);
    await clock.pass(10 * HOUR);
    await settleUsage();
    const cost = costOf(10 * HOUR);
    const earned = cost - (cost * 500n) / 10_000n;
    await createPayout({ payeeId: owner.userId, amountMicro: 1_000_000n, reference: "bank 1" });
    expect(await billingOf(owner.key)).toMatchObject({
      balance: 0,
      earned: usd(earned),
      paid_out: 1,
      owed: usd(earned - 1_000_000n),
    });
  });
});

describe("GET /v0/billing/entries", () => {
  it("BILL-04 gives one entry an own account that a movement touches, the newest first, and nobody another's", async () => {
    const [renter, owner, stranger] = [
      await makeAccount(),
      await makeAccount({ balanceUsd: 0 }),
      await makeAccount(),
    ];
    const { hostId, offerId } = await makeHost(owner.userId);
    await passUntil(10);
    const instanceId = await rent(renter, offerId, { reserve_period: "day" });
    await clock.pass(HOUR);
    await settleUsage();
    await clock.pass(24 * HOUR);
    await followTime();
    await settleUsage();
    const mine = await entriesOf(renter.key);
    expect(mine.total_items).toBe(mine.data.length);
    const summary = mine.data.map(({ kind, account, amount }) => [kind, account, amount]);
    expect(summary).toEqual([
      ["usage", "balance", -usd(costOf(HOUR))],
      ["accrual", "escrow", -5],
      ["accrual", "escrow", -6.5],
      ["accrual", "escrow", -0.5],
      ["prepay", "balance", -12],
      ["prepay", "escrow", 12],
      ["credit", "balance", 1000],
    ]);
    expect(
      mine.data.filter(({ kind }) => kind !== "credit").map((entry) => [entry.instance_id, entry.host_id]),
    ).toEqual(Array.from({ length: 6 }, () => [instanceId, hostId]));
    const theirs = await entriesOf(owner.key);
    expect(theirs.data.map(({ kind, account }) => [kind, account])).toEqual([
      ["usage", "earnings"],
      ["accrual", "earnings"],
      ["accrual", "earnings"],
      ["accrual", "earnings"],
    ]);
    const gross = 12_000_000n + costOf(HOUR);
    const earned = theirs.data.reduce(
      (sum, { amount_usd }) => sum + BigInt(Math.round(amount_usd * 1e6)),
      0n,
    );
    expect(earned).toBeGreaterThan((gross * 95n) / 100n - 1n);
    expect(earned).toBeLessThan((gross * 95n) / 100n + 4n);
    expect(JSON.stringify(theirs)).not.toContain(renter.userId);
    expect(JSON.stringify(mine)).not.toContain(owner.userId);
    expect((await entriesOf(stranger.key)).data.map(({ kind }) => kind)).toEqual(["credit"]);
    for (const query of [{ instance_id: instanceId }, { host_id: hostId }] as Query[]) {
      expect(await entriesOf(stranger.key, query)).toEqual({ ok: true, data: [], total_items: 0 });
    }
  });

  it("BILL-05 keeps each amount at the rate of its time, in entries and in a day's sum", async () => {
    const renter = await makeAccount();
    await passUntil(5);
    await rent(renter, (await makeOffer()).offerId);
    await clock.pass(HOUR);
    await settleUsage();
    const before = await entriesOf(renter.key, { currency: "QOIN" });
    await clock.pass(1);
    await setRate("QOIN", "78.5");
    expect(await entriesOf(renter.key, { currency: "QOIN" })).toEqual(before);
    await clock.pass(HOUR - 1);
    await settleUsage();
    const after = await entriesOf(renter.key, { currency: "QOIN" });
    expect(after.data.slice(1)).toEqual(before.data);
    const [first, second] = [costOf(HOUR), costOf(2 * HOUR) - costOf(HOUR)];
    const [old, fresh] = [first * 100n, (second * 785n + 5n) / 10n];
    expect(after.data.slice(0, 2)).toMatchObject([
      { amount: -usd(fresh), amount_usd: -usd(second), rate: "78.5", currency: "QOIN" },
      { amount: -usd(old), amount_usd: -usd(first), rate: "100", currency: "QOIN" },
    ]);
    expect((await usageOf(renter.key, { currency: "QOIN" })).data).toMatchObject([
      { amount: usd(old + fresh), amount_usd: usd(first + second), currency: "QOIN" },
    ]);
    expect((await billingOf(renter.key, { currency: "QOIN" })).rate).toMatchObject({ units_per_usd: "78.5" });
  });

  it("BILL-05 takes two rates in one microsecond, and the later one holds", async () => {
    const { key } = await makeAccount();
    for (const rate of ["77.5", "78.25"]) {
      await expect(setRate("RUB", rate)).resolves.toMatchObject({ unitsPerUsd: rate });
      expect((await billingOf(key, { currency: "RUB" })).rate).toMatchObject({ units_per_usd: rate });
    }
  });
});

describe("GET /v0/billing/usage and the earnings of a host", () => {
  it("BILL-11 split at midnight exactly: a day's rows are its seconds, and sum to its entries", async () => {
    const [renter, owner] = [await makeAccount(), await makeAccount({ balanceUsd: 0 })];
    const { offerId, hostId } = await makeHost(owner.userId);
    await passUntil(22);
    const day = (later: number) =>
      new Date((Math.floor(began / 86_400) + later) * 86_400_000).toISOString().slice(0, 10);
    const began = Number((await clock.nowMicroseconds()) / 1_000_000n);
    const instanceId = await rent(renter, offerId, { name: "training" });
    const prepaidId = await rent(renter, (await makeOffer()).offerId, { reserve_period: "week" });
    await clock.pass(7 * HOUR + 1.5);
    await settleUsage();
    await clock.pass(24 * HOUR);
    await callApi(operations.controlInstance, {
      key: renter.key,
      params: { instance_id: instanceId },
      query: { action: "pause" },
    });
    await clock.pass(24 * HOUR);
    await settleUsage();
    const { data, total_items } = await usageOf(renter.key);
    expect(total_items).toBe(data.length);
    const rows = data.filter(({ instance_id }) => instance_id === instanceId);
    const running = [2 * HOUR, 24 * HOUR, 5 * HOUR + 1.5, 0];
    expect(rows.map((row) => [row.day, row.name, row.seconds_running])).toEqual(
      [...running].map((seconds, i) => [day(i), "training", seconds]).reverse(),
    );
    expect(
      rows
        .slice(-2)
        .map((row) => row.amount)
        .reverse(),
    ).toEqual([usd(costOf(2 * HOUR)), usd(costOf(26 * HOUR) - costOf(2 * HOUR))]);
    const prepaid = data.filter(({ instance_id }) => instance_id === prepaidId);
    expect(prepaid.map((row) => [row.amount, row.seconds_running]).at(-2)).toEqual([
      usd(475_000n * 24n),
      24 * HOUR,
    ]);
    const sums = await db().$queryRaw<{ day: string; instance_id: string; micro: bigint }[]>`
      SELECT to_char(day, 'YYYY-MM-DD') AS day, instance_id, -sum(renter_micro + escrow_micro)::bigint AS micro
      FROM ledger_movement WHERE user_id = ${renter.userId} AND kind IN ('usage', 'accrual') GROUP BY 1, 2
      ORDER BY 1 DESC, 2`;
    expect(data.map((row) => [row.day, row.instance_id, row.amount_usd])).toEqual(
      sums.map((row) => [row.day, row.instance_id, usd(row.micro)]),
    );
    const earned = (
      await callApi(operations.listHostEarnings, { key: owner.key, params: { host_id: hostId } })
    ).body;
    expect(earned.total_items).toBe(4);
    expect(earned.data.map((row) => [row.day, row.seconds_rented])).toEqual([
      [day(3), 5 * HOUR + 1.5],
      [day(2), 24 * HOUR],
      [day(1), 24 * HOUR],
      [day(0), 2 * HOUR],
    ]);
    const first = costOf(2 * HOUR);
    expect(earned.data[3]).toMatchObject({ amount: usd(first - (first * 500n) / 10_000n), currency: "USD" });
  });

  it("BILL-12 of the last 30 days unless asked otherwise, by instance, page by page", async () => {
    const renter = await makeAccount();
    const other = await rent(renter, (await makeOffer()).offerId);
    await passUntil(12);
    const instanceId = await rent(renter, (await makeOffer()).offerId);
    for (let day = 0; day < 33; day++) {
      await clock.pass(24 * HOUR);
      await setBalance(renter.userId, START_MICRO);
      await settleUsage();
    }
    const whole = await usageOf(renter.key, { from: "2026-01-01" });
    const mine = await usageOf(renter.key, { from: "2026-01-01", instance_id: instanceId });
    expect(mine.total_items).toBe(34);
    expect(mine.data).toEqual(whole.data.filter(({ instance_id }) => instance_id === instanceId));
    expect(whole.data.some(({ instance_id }) => instance_id === other)).toBe(true);
    const last = await usageOf(renter.key, { instance_id: instanceId });
    expect(last.data).toEqual(mine.data.slice(0, 30));
    const [newest, , third] = mine.data;
    const three = { instance_id: instanceId, from: third?.day ?? "", to: newest?.day ?? "" };
    expect((await usageOf(renter.key, three)).data).toEqual(mine.data.slice(0, 3));
    expect((await usageOf(renter.key, { instance_id: instanceId, to: third?.day ?? "" })).data).toEqual(
      mine.data.slice(2, 32),
    );
    const pages = [];
    for (let start = 0; start < whole.total_items; start += 9) {
      const page = await usageOf(renter.key, { from: "2026-01-01", start, limit: 9 });
      expect(page.total_items).toBe(whole.total_items);
      pages.push(...page.data);
    }
    expect(pages).toEqual(whole.data);
    const beyond = await usageOf(renter.key, { from: "2026-01-01", start: whole.total_items });
    expect(beyond).toEqual({ ok: true, data: [], total_items: whole.total_items });
  });

  it("BILL-13 shows a host's earnings to its owner, also once it is deleted, and to nobody else", async () => {
    const [renter, owner] = [await makeAccount(), await makeAccount({ balanceUsd: 0 })];
    const { offerId, hostId } = await makeHost(owner.userId);
    const instanceId = await rent(renter, offerId);
    await clock.pass(HOUR);
    await callApi(operations.deleteInstance, { key: renter.key, params: { instance_id: instanceId } });
    const ask = (key: string, id: string) =>
      callApi(operations.listHostEarnings, {
        key,
        params: { host_id: id },
        headers: { "x-request-id": "same" },
      });
    const before = await ask(owner.key, hostId);
    expect(before.body).toMatchObject({ total_items: 1, data: [{ seconds_rented: HOUR }] });
    await db()
      .$executeRaw`UPDATE host SET deleted_at = clock.now(), status = 'inactive' WHERE id = ${hostId}`;
    expect((await ask(owner.key, hostId)).body).toEqual(before.body);
    const foreign = await ask(renter.key, hostId);
    expect(foreign.status).toBe(404);
    expect(foreign.error).toEqual((await ask(renter.key, newId("host"))).error);
  });
});
