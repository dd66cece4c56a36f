import { describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { rentOffer } from "@/lib/instances/rent-offer";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { callApi, makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeSecret } from "../support/world";

useTestDatabase();

/** makeOffer's 0.5 an hour, and 10 GB of disk at 0.1 a GB and month of 720 hours. */
const UPTIME_MICRO = 501_389n;
const PAUSE_MICRO = 126_389n;

async function makeRenter(options: { balanceUsd?: number } = {}) {
  const { userId, key } = await makeAccount(options);
  const { templateId } = await makeTemplate(userId);
  return { userId, key, templateId };
}

type Renter = Awaited<ReturnType<typeof makeRenter>>;

function create({ key, templateId }: Renter, offerId: string, more: object = {}) {
  return callApi(operations.createInstance, {
    key,
    body: { offer_id: offerId, template_id: templateId, ...more },
  });
}

const wishFor = (offerId: string, templateId: string) => ({
  offerId,
  templateId,
  reservePeriod: "hour" as const,
  diskGb: undefined,
  secretIds: [],
  name: undefined,
  label: false,
  autoRenew: false,
  expectedPrice: undefined,
  currency: "USD" as const,
});

const balanceOf = (userId: string) => db().balance.findUniqueOrThrow({ where: { userId } });

/** Outcomes of promises as words: the code of a refusal, else "rented". */
async function outcomesOf(tries: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(tries);
  return settled.map((one) =>
    one.status === "fulfilled" ? "rented" : String(one.reason.code ?? one.reason),
  );
}

/** Nothing of a refused rent is left behind. */
async function expectUntouched(userId: string, offerId: string): Promise<void> {
  expect(await db().instance.count({ where: { userId } })).toBe(0);
  expect(await db().offer.findUniqueOrThrow({ where: { id: offerId } })).toMatchObject({ leased: false });
  expect(await balanceOf(userId)).toMatchObject({ burnMicro: 0n });
}

describe("renting", () => {
  it("RENT-01 answers one pending instance with its frozen offer and template, priced, and takes the offer", async () => {
    const renter = await makeRenter();
    const { offerId } = await makeOffer();
    const secretId = await makeSecret(renter.key);
    const { status, body } = await create(renter, offerId, {
      secret_ids: [secretId, secretId],
      name: "fine-tuning",
      label: true,
    });
    expect(status).toBe(200);
    expect("total_items" in body).toBe(false);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      user_id: renter.userId,
      name: "fine-tuning",
      label: true,
      status: "pending",
      phase: "scheduling",
      reserve_period: "hour",
      is_prepaid: false,
      prepaid_until: null,
      initialized_at: null,
      storage_gb: 10,
      uptime_price: 0.501389,
      pause_price: 0.126389,
      total_cost: 0,
      total_uptime: 0,
      actions: ["destroy", "attach_secret", "detach_secret"],
      actual_offer: { id: offerId, in_stock: false, rentable: false, real_price: 0.5 },
      actual_template: { id: renter.templateId, image: "ubuntu", image_tag: "24.04", ssh_enabled: true },
      ssh_keys: [{ id: secretId, name: "laptop" }],
      ssh_password: null,
    });
    expect(await db().offer.findUniqueOrThrow({ where: { id: offerId } })).toMatchObject({
      leased: true,
      rentable: false,
    });
    expect(await balanceOf(renter.userId)).toMatchObject({
      availableMicro: 1_000_000_000n,
      burnMicro: UPTIME_MICRO,
    });
    const events = await db().event.findMany({ where: { subjectId: body.data[0]?.id ?? "" } });
    expect(events.map(({ type }) => type)).toEqual(["instance.created"]);
  });

  it("RENT-02 keeps what was rented as it was: a later price or a changed template touches later rents only", async () => {
    const renter = await makeRenter();
    const { offerId } = await makeOffer();
    await create(renter, offerId);
    await db().offer.update({ where: { id: offerId }, data: { priceMicro: 9_000_000n, city: "Bergen" } });
    const params = { template_id: renter.templateId };
    await callApi(operations.updateTemplate, { key: renter.key, params, body: { image: "debian" } });
    await callApi(operations.deleteTemplate, { key: renter.key, params });
    const { body } = await callApi(operations.listInstances, { key: renter.key });
    expect(body.data[0]).toMatchObject({
      uptime_price: 0.501389,
      actual_offer: { real_price: 0.5, location: { city: "Oslo" } },
      actual_template: { id: renter.templateId, image: "ubuntu", template_version: 0 },
    });
  });

  it("RENT-03 of 50 renters at once one gets the offer; the others are told that it is taken and pay nothing", async () => {
    const { offerId } = await makeOffer();
    const renters = await Promise.all(Array.from({ length: 50 }, () => makeRenter()));
    const outcomes = await outcomesOf(
      renters.map(({ userId, templateId }) =>
        rentOffer({ userId, requestId: "test" }, wishFor(offerId, templateId)),
      ),
    );
    expect(outcomes.filter((one) => one === "rented")).toHaveLength(1);
    expect(outcomes.filter((one) => one === "offer_unavailable")).toHaveLength(49);
    expect(await db().instance.count({ where: { offerId } })).toBe(1);
    const { _sum } = await db().balance.aggregate({
      _sum: { burnMicro: true },
      where: { userId: { in: renters.map(({ userId }) => userId) } },
    });
    expect(_sum.burnMicro).toBe(UPTIME_MICRO);
  });

  it("RENT-04 with money for an hour of one, one of 20 rents at once succeeds and 19 offers stay free", async () => {
    const renter = await makeRenter({ balanceUsd: 0.9 });
    const offers = await Promise.all(Array.from({ length: 20 }, () => makeOffer()));
    const ctx = { userId: renter.userId, requestId: "test" };
    const outcomes = await outcomesOf(
      offers.map(({ offerId }) => rentOffer(ctx, wishFor(offerId, renter.templateId))),
    );
    expect(outcomes.filter((one) => one === "rented")).toHaveLength(1);
    expect(outcomes.filter((one) => one === "insufficient_funds")).toHaveLength(19);
    const ids = offers.map(({ offerId }) => offerId);
    expect(await db().offer.count({ where: { id: { in: ids }, leased: true } })).toBe(1);
    expect(await balanceOf(renter.userId)).toMatchObject({
      burnMicro: UPTIME_MICRO,
      availableMicro: 900_000n,
    });
  });

  it("RENT-05 paid ahead: takes the whole term at once, of 20 at once no more than there is money for", async () => {
    const renter = await makeRenter({ balanceUsd: 25 }); // a day of 0.5 an hour is 12
    const offers = await Promise.all(Array.from({ length: 20 }, () => makeOffer()));
    const ctx = { userId: renter.userId, requestId: "test" };
    const outcomes = await outcomesOf(
      offers.map(({ offerId }) =>
        rentOffer(ctx, { ...wishFor(offerId, renter.templateId), reservePeriod: "day" }),
      ),
    );
    expect(outcomes.filter((one) => one === "rented")).toHaveLength(2);
    expect(outcomes.filter((one) => one === "insufficient_funds")).toHaveLength(18);
    expect(await balanceOf(renter.userId)).toMatchObject({ availableMicro: 1_000_000n, burnMicro: 0n });
  });

  it("RENT-06 a term has its discount, and its time counts from when the machine is there", async () => {
    const renter = await makeRenter();
    const { offerId } = await makeOffer();
    const { body } = await create(renter, offerId, { reserve_period: "month" });
    const [rented] = body.data;
    expect(rented).toMatchObject({ is_prepaid: true, reserve_period: "month", total_cost: 288 });
    await db().$executeRaw`
      UPDATE instance SET created_at = created_at - interval '1 hour', prepaid_until = prepaid_until - interval '1 hour'
      WHERE id = ${rented?.id}`;
    await reconcileInstances(throwIt);
    const [term] = await db().$queryRaw<{ hours: number; status: string }[]>`
      SELECT status, extract(epoch FROM prepaid_until - initialized_at)::float8 / 3600 AS hours
      FROM instance WHERE id = ${rented?.id}`;
    expect(term?.status).toBe("running");
    expect(term?.hours).toBeCloseTo(720, 3);
  });

  it("RENT-07 refuses a disk larger than the offer's, and takes the template's recommendation without one", async () => {
    const renter = await makeRenter();
    const { offerId } = await makeOffer({ diskGb: 100 });
    const tooLarge = await create(renter, offerId, { disk_gb: 101 });
    expect(tooLarge.status).toBe(422);
    expect(tooLarge.error.detail).toMatchObject([{ loc: ["body", "disk_gb"] }]);
    await expectUntouched(renter.userId, offerId);
    await db().template.update({ where: { id: renter.templateId }, data: { recommendedDiskSpace: 60 } });
    expect((await create(renter, offerId)).body.data[0]).toMatchObject({ storage_gb: 60 });
  });

  it("RENT-08 answers another's template and key exactly as missing ones", async () => {
    const [renter, other] = await Promise.all([makeRenter(), makeRenter()]);
    const { offerId } = await makeOffer();
    const foreignKey = await makeSecret(other.key);
    const pairs = [
      [{ template_id: other.templateId }, { template_id: "tmpl_missing" }],
      [{ secret_ids: [foreignKey] }, { secret_ids: ["key_missing"] }],
    ] as const;
    for (const [foreign, missing] of pairs) {
      const [one, two] = [await create(renter, offerId, foreign), await create(renter, offerId, missing)];
      expect(one.status).toBe(404);
      expect({ ...one.error, request_id: "" }).toEqual({ ...two.error, request_id: "" });
    }
    expect((await create(renter, "offer_missing")).status).toBe(404);
    const unlisted = await makeOffer({ listed: false });
    expect((await create(renter, unlisted.offerId)).status).toBe(404);
    await expectUntouched(renter.userId, offerId);
  });

  it("RENT-09 tells a changed price, with the one of now, and rents at the one that was seen", async () => {
    const renter = await makeRenter();
    const { offerId } = await makeOffer();
    const changed = await create(renter, offerId, { expected_price: 39, currency: "RUB" });
    expect(changed.status).toBe(409);
    expect(changed.error).toMatchObject({ code: "price_changed", price: 40, currency: "RUB" });
    await expectUntouched(renter.userId, offerId);
    const rented = await create(renter, offerId, { expected_price: 40, currency: "RUB" });
    expect(rented.status).toBe(200);
    expect(rented.body.data[0]).toMatchObject({ actual_offer: { real_price: 40 } });
  });

  it("RENT-10 says 402 before 409, and 409 for an offer that is leased, gone, unpriced or without a runtime", async () => {
    const poor = await makeRenter({ balanceUsd: 0.4 });
    const rich = await makeRenter();
    for (const data of [{ leased: true }, { live: false }, { runtime: "none" }]) {
      const { offerId } = await makeOffer(data);
      expect((await create(poor, offerId)).error.code).toBe("insufficient_funds");
      expect((await create(rich, offerId)).error.code).toBe("offer_unavailable");
    }
    const { offerId } = await makeOffer({ priceMicro: null });
    expect((await create(rich, offerId)).error.code).toBe("offer_unavailable");
  });

  it("RENT-11 by the hour it needs an hour of everything that runs", async () => {
    const renter = await makeRenter({ balanceUsd: 1.2 });
    const offers = await Promise.all([makeOffer(), makeOffer(), makeOffer()]);
    const statuses: number[] = [];
    for (const { offerId } of offers) statuses.push((await create(renter, offerId)).status);
    expect(statuses).toEqual([200, 200, 402]);
  });

  it("RENT-12 gives a template's environment and registry login to its owner's rents only", async () => {
    const [owner, renter] = await Promise.all([makeRenter(), makeRenter()]);
    await callApi(operations.updateTemplate, {
      key: owner.key,
      params: { template_id: owner.templateId },
      body: { env: "TOKEN=abc", docker_username: "me", docker_password: "hush", docker_registry: "ghcr.io" },
    });
    await db().template.update({ where: { id: owner.templateId }, data: { publishedAt: new Date() } });
    const [own, foreign] = await Promise.all([makeOffer(), makeOffer()]);
    const mine = (await create(owner, own.offerId)).body.data[0];
    const theirs = (await create({ ...renter, templateId: owner.templateId }, foreign.offerId)).body.data[0];
    expect(mine?.actual_template).toMatchObject({
      env_variables: { TOKEN: "abc" },
      docker_private: { registry: "ghcr.io", login: "me", password: null },
    });
    expect(theirs?.actual_template).toMatchObject({
      env_variables: {},
      docker_private: { login: null, password: null },
    });
    const sealed = await db().instance.findMany({
      where: { id: { in: [mine?.id ?? "", theirs?.id ?? ""] } },
      select: { userId: true, dockerPasswordSealed: true },
    });
    const has = (userId: string) => sealed.find((row) => row.userId === userId)?.dockerPasswordSealed != null;
    expect([has(owner.userId), has(renter.userId)]).toEqual([true, false]);
  });

  it("RENT-13 an offer is free again only when its container is gone", async () => {
    const [first, second] = await Promise.all([makeRenter(), makeRenter()]);
    const { offerId } = await makeOffer();
    const instanceId = (await create(first, offerId)).body.data[0]?.id ?? "";
    await reconcileInstances(throwIt);
    await callApi(operations.deleteInstance, { key: first.key, params: { instance_id: instanceId } });
    expect((await create(second, offerId)).error.code).toBe("offer_unavailable");
    await reconcileInstances(throwIt);
    expect(await db().simulatedContainer.count({ where: { instanceId } })).toBe(0);
    expect((await create(second, offerId)).status).toBe(200);
  });

  it("RENT-14 the pause costs a quarter of the GPU price and the disk", async () => {
    const renter = await makeRenter();
    const { offerId } = await makeOffer();
    await create(renter, offerId);
    expect(await db().instance.findFirstOrThrow({ where: { offerId } })).toMatchObject({
      uptimeMicro: UPTIME_MICRO,
      pauseMicro: PAUSE_MICRO,
    });
  });
});

function throwIt(error: unknown): void {
  throw error;
}
