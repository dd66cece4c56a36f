import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { createSimulatedHost } from "@/lib/hosts/create-simulated-host";
import { judgeHost } from "@/lib/hosts/judge-host";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { GPU, makeGpu } from "../support/world";

useTestDatabase();
beforeAll(makeGpu);

const makeHost = (userId: string, priceMicro: bigint | null = 1_500_000n) =>
  createSimulatedHost({ userId, gpu: GPU, gpus: 2, priceMicro });

async function findOnMarket(key: string, offerId: string) {
  const { body } = await callApi(operations.searchMarket, { key, body: {} });
  return body.data.find(({ id }) => id === offerId);
}

async function hourlyPrice(key: string, offerId: string) {
  return (await findOnMarket(key, offerId))?.prices.find(({ period }) => period === "hour")?.price;
}

describe("hosts", () => {
  it("HOST-01 lists one's own hosts with their whole offer, in the currency asked for", async () => {
    const { userId, key } = await makeAccount();
    const first = await makeHost(userId);
    const second = await makeHost(userId, null);
    const { body } = await callApi(operations.listHosts, { key, query: { currency: "RUB", locale: "ru" } });
    expect(body.total_items).toBe(2);
    expect(body.data.map(({ id }) => id)).toEqual([second.hostId, first.hostId]);
    expect(body.data[1]).toMatchObject({
      status: "active",
      status_reason: null,
      offer: {
        id: first.offerId,
        gpu_translit_name: GPU,
        gpu_amount: 2,
        vram: 24,
        rentable: true,
        is_third_party: false,
        real_price: 120,
        extra: { simulated: true },
      },
    });
    expect(body.data[1]?.offer.offers_amount).toBeGreaterThanOrEqual(1);
    expect(body.data[0]).toMatchObject({
      status: "inactive",
      status_reason: "price_not_set",
      offer: { rentable: false, real_price: null, prices: [] },
    });
    const page = await callApi(operations.listHosts, { key, query: { start: 1, limit: 1 } });
    expect(page.body.data.map(({ id }) => id)).toEqual([first.hostId]);
  });

  it("HOST-02 sells under one storefront a person, which tells nothing about them", async () => {
    const { userId } = await makeAccount();
    await Promise.all([makeHost(userId), makeHost(userId)]);
    const { email, roles, provider } = await db().user.findUniqueOrThrow({
      where: { id: userId },
      include: { provider: { include: { offers: true } } },
    });
    expect(roles).toEqual(["renter", "host"]);
    expect(provider?.offers).toHaveLength(2);
    expect(`${provider?.name} ${provider?.translitName}`).not.toContain(email.split("@")[0]);
    await expect(makeHost("user_missing")).rejects.toMatchObject({ code: "not_found" });
    await expect(
      createSimulatedHost({ userId, gpu: "no-such-card", gpus: 1, priceMicro: null }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("HOST-03 shows a new price in the search at once, and wakes a host that waited for one", async () => {
    const { userId, key } = await makeAccount();
    const { hostId, offerId } = await makeHost(userId, null);
    expect((await findOnMarket(key, offerId))?.rentable).toBe(false);
    const params = { host_id: hostId };
    const priced = await callApi(operations.updateHost, { key, params, body: { price: 1.25 } });
    expect([priced.status, priced.body]).toEqual([200, { ok: true, data: null }]);
    expect((await findOnMarket(key, offerId))?.rentable).toBe(true);
    expect(await hourlyPrice(key, offerId)).toBe(1.25);
    const [listed] = (await callApi(operations.listHosts, { key })).body.data;
    expect(listed).toMatchObject({ status: "active", status_reason: null });

    await callApi(operations.updateHost, { key, params, query: { currency: "RUB" }, body: { price: 40 } });
    expect(await hourlyPrice(key, offerId)).toBe(0.5);
  });

  it("HOST-04 does not put a host back on the market by a price when it is away for another reason", async () => {
    const { userId, key } = await makeAccount();
    const { hostId, offerId } = await makeHost(userId);
    await judgeHost(hostId, "ban");
    await callApi(operations.updateHost, { key, params: { host_id: hostId }, body: { price: 2 } });
    expect((await findOnMarket(key, offerId))?.rentable).toBe(false);
    expect((await callApi(operations.listHosts, { key })).body.data[0]?.status_reason).toBe("banned");
    await judgeHost(hostId, "unban");
    expect((await findOnMarket(key, offerId))?.rentable).toBe(true);
  });

  it.each([0, -1, 0.0000001, 10_000.000001, 10_001, null, "1", undefined])(
    "HOST-05 refuses the price %s",
    async (price) => {
      const { userId, key } = await makeAccount();
      const { hostId, offerId } = await makeHost(userId);
      const answer = await callApi(operations.updateHost, {
        key,
        params: { host_id: hostId },
        body: { price },
      });
      expect(answer.status).toBe(422);
      expect(answer.error.detail).toMatchObject([{ loc: ["body", "price"] }]);
      expect(await hourlyPrice(key, offerId)).toBe(1.5);
    },
  );

  it("HOST-06 refuses a price that is nothing in USD", async () => {
    const { userId, key } = await makeAccount();
    const { hostId } = await makeHost(userId);
    const call = { key, params: { host_id: hostId }, query: { currency: "RUB" }, body: { price: 0.000001 } };
    const answer = await callApi(operations.updateHost, call);
    expect(answer.error.detail).toMatchObject([{ loc: ["body", "price"] }]);
  });

  it("HOST-07 withdraws a deleted host for good, once", async () => {
    const { userId, key } = await makeAccount();
    const { hostId, offerId } = await makeHost(userId);
    const params = { host_id: hostId };
    const answers = await Promise.all([1, 2].map(() => callApi(operations.deleteHost, { key, params })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await findOnMarket(key, offerId)).toBeUndefined();
    expect((await callApi(operations.listHosts, { key })).body.total_items).toBe(0);
    const repriced = await callApi(operations.updateHost, { key, params, body: { price: 1 } });
    expect(repriced.status).toBe(404);
    expect((await db().offer.findUniqueOrThrow({ where: { id: offerId } })).rentable).toBe(false);
  });

  it("HOST-08 keeps a host that is rented", async () => {
    const { userId, key } = await makeAccount();
    const { hostId, offerId } = await makeHost(userId);
    await db().offer.update({ where: { id: offerId }, data: { leased: true } });
    const params = { host_id: hostId };
    const refused = await callApi(operations.deleteHost, { key, params });
    expect([refused.status, refused.error.code]).toEqual([409, "in_use"]);
    expect((await callApi(operations.listHosts, { key })).body.total_items).toBe(1);
    await db().offer.update({ where: { id: offerId }, data: { leased: false } });
    expect((await callApi(operations.deleteHost, { key, params })).status).toBe(200);
  });

  it("HOST-09 lets exactly one of a rent and a delete win when they meet", async () => {
    const [owner, renter] = [await makeAccount(), await makeAccount()];
    const { templateId } = await makeTemplate(renter.userId);
    for (let round = 0; round < 10; round += 1) {
      const { hostId, offerId } = await makeHost(owner.userId);
      const [rented, deleted] = await Promise.all([
        callApi(operations.createInstance, {
          key: renter.key,
          body: { offer_id: offerId, template_id: templateId },
        }),
        callApi(operations.deleteHost, { key: owner.key, params: { host_id: hostId } }),
      ]);
      if (deleted.status === 200) expect(rented.error.code).toMatch(/^(not_found|offer_unavailable)$/);
      else expect([rented.status, deleted.error.code]).toEqual([200, "in_use"]);
    }
  });

  it("HOST-10 answers for another's host as for a missing one, and leaves it", async () => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    const { hostId, offerId } = await makeHost(owner.userId);
    const ask = async (id: string) => {
      const call = { key: other.key, params: { host_id: id }, headers: { "x-request-id": "same" } };
      const repriced = await callApi(operations.updateHost, { ...call, body: { price: 1 } });
      return [repriced.error, (await callApi(operations.deleteHost, call)).error];
    };
    const foreign = await ask(hostId);
    expect(foreign).toEqual(await ask("host_missing"));
    expect(foreign.map((error) => error.code)).toEqual(["not_found", "not_found"]);
    expect(await hourlyPrice(owner.key, offerId)).toBe(1.5);
    expect((await callApi(operations.listHosts, { key: other.key })).body.total_items).toBe(0);
  });

  it("HOST-11 takes the last of two prices set at once, whole", async () => {
    const { userId, key } = await makeAccount();
    const { hostId, offerId } = await makeHost(userId, null);
    const params = { host_id: hostId };
    const answers = await Promise.all(
      [1, 2].map((price) => callApi(operations.updateHost, { key, params, body: { price } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([1, 2]).toContain(await hourlyPrice(key, offerId));
  });
});
