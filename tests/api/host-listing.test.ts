import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { createSimulatedHost } from "@/lib/hosts/create-simulated-host";
import { judgeHost } from "@/lib/hosts/judge-host";
import { rethrow } from "@/lib/worker/each-instance";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { GPU, makeGpu } from "../support/world";

useTestDatabase();
beforeAll(makeGpu);

async function makeOwner() {
  const { userId, key } = await makeAccount();
  const { hostId, offerId } = await createSimulatedHost({
    userId,
    gpu: GPU,
    gpus: 1,
    priceMicro: 1_500_000n,
  });
  const params = { host_id: hostId };
  return {
    userId,
    key,
    hostId,
    offerId,
    withdraw: () => callApi(operations.withdrawHost, { key, params }),
    relist: () => callApi(operations.relistHost, { key, params }),
    find: async () => {
      const { body } = await callApi(operations.searchMarket, { key, body: {} });
      return body.data.find(({ id }) => id === offerId);
    },
    show: async () => (await callApi(operations.listHosts, { key })).body.data[0],
  };
}

async function makeRenter() {
  const { userId, key } = await makeAccount();
  const { templateId } = await makeTemplate(userId);
  return {
    key,
    rent: (offerId: string) =>
      callApi(operations.createInstance, { key, body: { offer_id: offerId, template_id: templateId } }),
  };
}

describe("withdrawing and listing", () => {
  it("HOST-17 a withdrawn host is neither found nor rented until it is listed again, each as often as one likes", async () => {
    const [owner, renter] = [await makeOwner(), await makeRenter()];
    for (const _ of [1, 2]) expect((await owner.withdraw()).status).toBe(200);
    expect(await owner.find()).toBeUndefined();
    expect(await owner.show()).toMatchObject({ status: "inactive", status_reason: "withdrawn" });
    expect((await renter.rent(owner.offerId)).status).toBe(404);
    await callApi(operations.updateHost, {
      key: owner.key,
      params: { host_id: owner.hostId },
      body: { price: 2 },
    });
    expect(await owner.find()).toBeUndefined();
    for (const _ of [1, 2]) expect((await owner.relist()).status).toBe(200);
    expect(await owner.find()).toMatchObject({ rentable: true });
    expect(await owner.show()).toMatchObject({
      status: "active",
      status_reason: null,
      offer: { real_price: 2 },
    });
    expect((await renter.rent(owner.offerId)).status).toBe(200);
  });

  it("HOST-18 what is rented of a withdrawn host goes on, and frees it without putting it back", async () => {
    const [owner, renter] = [await makeOwner(), await makeRenter()];
    const { body } = await renter.rent(owner.offerId);
    const [instance] = body.data;
    await owner.withdraw();
    const read = async () => (await callApi(operations.listInstances, { key: renter.key })).body.data;
    expect(await read()).toMatchObject([{ id: instance?.id, status: "pending" }]);
    const params = { instance_id: instance?.id ?? "" };
    expect((await callApi(operations.deleteInstance, { key: renter.key, params })).status).toBe(200);
    await reconcileInstances(rethrow);
    expect(await db().offer.findUniqueOrThrow({ where: { id: owner.offerId } })).toMatchObject({
      leased: false,
      rentable: false,
    });
    await owner.relist();
    expect(await owner.find()).toMatchObject({ rentable: true });
  });

  it("HOST-19 a host that is listed again stays off the market for what else keeps it off", async () => {
    const owner = await makeOwner();
    await owner.withdraw();
    await judgeHost(owner.hostId, "ban");
    await owner.relist();
    expect(await owner.show()).toMatchObject({ status: "inactive", status_reason: "banned" });
    expect((await owner.find())?.rentable).toBe(false);
    await owner.withdraw();
    await judgeHost(owner.hostId, "unban");
    expect(await owner.show()).toMatchObject({ status_reason: "withdrawn" });
    await callApi(operations.deleteHost, { key: owner.key, params: { host_id: owner.hostId } });
    expect((await owner.relist()).status).toBe(404);
    expect(await owner.find()).toBeUndefined();
  });

  it("HOST-20 a host that is withdrawn and rented at once is one or the other, and nothing between", async () => {
    const renter = await makeRenter();
    for (let round = 0; round < 5; round++) {
      const owner = await makeOwner();
      const [rented, withdrawn] = await Promise.all([renter.rent(owner.offerId), owner.withdraw()]);
      expect(withdrawn.status).toBe(200);
      expect([200, 404, 409]).toContain(rented.status);
      const offer = await db().offer.findUniqueOrThrow({ where: { id: owner.offerId } });
      expect([offer.leased, offer.rentable, offer.listed]).toEqual([rented.status === 200, false, false]);
    }
  });
});
