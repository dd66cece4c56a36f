import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { createSimulatedHost } from "@/lib/hosts/create-simulated-host";
import { hostIs, restateHosts } from "@/lib/hosts/restate-hosts";
import { joinMachine } from "../support/agent-machine";
import { callApi, makeAccount, makeOffer } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeInstance } from "../support/make-instance";
import { GPU, makeGpu } from "../support/world";

useTestDatabase();
beforeAll(makeGpu);

const overview = (key: string, hostId: string, query: Record<string, string> = {}) =>
  callApi(operations.getHostOverview, { key, params: { host_id: hostId }, query });

async function makeOwner(priceMicro: bigint | null, gpus = 1) {
  const { userId, key } = await makeAccount();
  const made = await createSimulatedHost({ userId, gpu: GPU, gpus, priceMicro });
  return { userId, key, ...made };
}

describe("the overview of a host", () => {
  it("HOST-22 the overview says for how long of each of 7 days a host was rented, of the time that it was there", async () => {
    const { userId, key, hostId } = await makeOwner(1_000_000n);
    await db().$executeRaw`
      UPDATE host SET created_at = date_trunc('day', clock_timestamp(), 'UTC') - interval '50 hours' WHERE id = ${hostId}`;
    const instanceId = await makeInstance(userId, { hostId });
    await db().$executeRaw`
      INSERT INTO meter_interval (instance_id, kind, rate_micro, started_at, ended_at, settled_until, settled)
      SELECT ${instanceId}, 'running', 1, today - interval '25 hours', today - interval '12 hours', today - interval '12 hours', true
      FROM (SELECT date_trunc('day', clock_timestamp(), 'UTC') AS today) days`;
    const { body } = await overview(key, hostId);
    expect(body.data).toMatchObject({
      host_id: hostId,
      verified: false,
      rented: false,
      problem: null,
      failures: [],
    });
    const days = body.data.utilisation;
    expect(days).toHaveLength(7);
    const today = days.at(-1);
    expect(today?.day).toBe(new Date().toISOString().slice(0, 10));
    expect(days.slice(0, -1).map((day) => [day.seconds_rented, day.seconds_total])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 7_200],
      [3_600, 86_400],
      [43_200, 86_400],
    ]);
    expect(today?.seconds_rented).toBe(0);
  });

  it("HOST-23 the overview sets a price beside others' for the same GPU, by the GPU, in the currency asked for", async () => {
    await db().offer.updateMany({ data: { listed: false } });
    const { userId, key, hostId, offerId } = await makeOwner(null, 2);
    const unpriced = { like_offers: 0, cheaper: null, median: null, low: null, currency: "USD" };
    expect((await overview(key, hostId)).body.data.price_position).toEqual(unpriced);
    for (const [gpuAmount, priceMicro] of [
      [1, 300_000n],
      [4, 2_000_000n],
      [2, 1_600_000n],
    ] as const) {
      await makeOffer({ gpuTranslitName: GPU, gpuAmount, priceMicro });
    }
    await makeOffer({ gpuTranslitName: GPU, priceMicro: 1n, listed: false });
    await makeOffer({ gpuTranslitName: GPU, priceMicro: null });
    await makeOffer({ gpuTranslitName: null, priceMicro: 1n });
    await createSimulatedHost({ userId, gpu: GPU, gpus: 1, priceMicro: 1n });
    const priced = { like_offers: 3, cheaper: null, median: 0.5, low: 0.3, currency: "USD" };
    expect((await overview(key, hostId)).body.data.price_position).toEqual(priced);
    const position = async (query: Record<string, string>) =>
      (await overview(key, hostId, query)).body.data.price_position;
    expect(await position({ price: "1.000001" })).toMatchObject({ cheaper: 2 });
    expect(await position({ price: "1" })).toMatchObject({ cheaper: 1 });
    expect(await position({ price: "80", currency: "RUB" })).toEqual({
      like_offers: 3,
      cheaper: 1,
      median: 40,
      low: 24,
      currency: "RUB",
    });
    await db().offer.update({ where: { id: offerId }, data: { priceMicro: 2_000_000n } });
    expect(await position({})).toMatchObject({ cheaper: 3 });
  });

  it("HOST-24 the overview tells an owner, and nobody else, what keeps the machine off the market", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const { hosts } = await joinMachine(owner.userId, { port: 1 });
    const hostId = hosts[0]?.hostId ?? "";
    const { data } = (await overview(owner.key, hostId)).body;
    expect(data.problem).toMatch(/^Nothing answers at .*:1\./);
    expect(data.last_report_at).not.toBeNull();
    const failure = { code: "disk_slow", detail: "The disk is slow." };
    await db()
      .$executeRaw`UPDATE agent SET failures = ${JSON.stringify([failure])}::jsonb WHERE user_id = ${owner.userId}`;
    await db().$transaction((tx) => restateHosts(tx, hostIs(hostId)));
    expect((await overview(owner.key, hostId)).body.data).toMatchObject({
      problem: "The disk is slow.",
      failures: [failure],
    });
    const refused = await overview(other.key, hostId);
    expect([refused.status, refused.error.detail]).toEqual([
      404,
      (await overview(other.key, "host_missing")).error.detail,
    ]);
  });

  it.each(["0", "-1", "1e3", "0.0000001", "100000001", "x", "1,5"])(
    "HOST-25 refuses to compare the price %s",
    async (price) => {
      const { key, hostId } = await makeOwner(1n);
      const refused = await overview(key, hostId, { price });
      expect(refused.status).toBe(422);
      expect(refused.error.detail).toMatchObject([{ loc: ["query", "price"] }]);
    },
  );
});
