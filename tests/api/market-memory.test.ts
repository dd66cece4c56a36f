import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { forgetOldPrices } from "@/lib/market/forget-old-prices";
import { recordPrices } from "@/lib/market/record-prices";
import { callApi, makeAccount, makeOffer } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { GPU, makeGpu } from "../support/world";

useTestDatabase();

let key = "";
beforeAll(async () => {
  await makeGpu();
  ({ key } = await makeAccount());
});

describe("one offer", () => {
  it("MKT-30 shows an offer as the search does, also one that the search leaves out for its long silence", async () => {
    const { offerId } = await makeOffer();
    const ask = () =>
      callApi(operations.getOffer, { key, params: { offer_id: offerId }, query: { currency: "RUB" } });
    const found = await callApi(operations.searchMarket, { key, body: { currency: "RUB" } });
    expect((await ask()).body.data).toEqual(found.body.data.find(({ id }) => id === offerId));
    await db().$executeRaw`UPDATE offer SET leased = true WHERE id = ${offerId}`;
    await db()
      .$executeRaw`UPDATE offer SET unavailable_since = now() - interval '3 days' WHERE id = ${offerId}`;
    expect((await ask()).body.data).toMatchObject({ id: offerId, rentable: false });
    await db().$executeRaw`UPDATE offer SET listed = false WHERE id = ${offerId}`;
    const [withdrawn, missing] = [
      await ask(),
      await callApi(operations.getOffer, { key, params: { offer_id: "offer_none" } }),
    ];
    expect([withdrawn.status, withdrawn.error.detail]).toEqual([404, missing.error.detail]);
    const wrong = await callApi(operations.getOffer, {
      key,
      params: { offer_id: offerId },
      query: { currency: "EUR" },
    });
    expect(wrong.error.detail).toMatchObject([{ loc: ["query", "currency"] }]);
  });
});

describe("GPUs and what they cost", () => {
  beforeAll(async () => {
    await makeOffer({ gpuTranslitName: GPU, gpuAmount: 4, priceMicro: 1_000_000n });
    await makeOffer({ gpuTranslitName: GPU, priceMicro: 300_000n });
    await makeOffer({ gpuTranslitName: GPU, priceMicro: 900_000n });
    await makeOffer({ gpuTranslitName: GPU, priceMicro: 100_000n, leased: true });
  });

  const history = async (query: Record<string, string | number>) =>
    (await callApi(operations.listGpuPrices, { key, params: { gpu_translit_name: GPU }, query })).body.data;
  const addSample = (ago: string, low: number, median: number, offers = 1) =>
    db().$executeRawUnsafe(
      `INSERT INTO price_sample VALUES ('${GPU}', date_trunc('hour', now() - interval '${ago}', 'UTC'), ${low}, ${median}, ${offers})`,
    );

  it("MKT-31 lists the GPUs of the catalogue with what the market has of each, most offers first, by pages", async () => {
    const { body } = await callApi(operations.listGpus, { key, query: { currency: "QOIN", limit: 1 } });
    expect(body.total_items).toBe(await db().gpu.count());
    expect(body.data).toEqual([
      {
        translit_name: GPU,
        name: "RTX 4090",
        vendor: "NVIDIA",
        architecture: "Ada Lovelace",
        segment: "consumer",
        vram: 24,
        memory_bandwidth: 1008,
        fp32: 82.6,
        launch_year: 2022,
        offers_count: 4,
        rentable_count: 3,
        best_price: 25,
        currency: "QOIN",
      },
    ]);
    const beyond = await callApi(operations.listGpus, { key, query: { start: body.total_items } });
    expect(beyond.body.data).toEqual([]);
  });

  it("MKT-32 records once an hour what one GPU costs among what can be rented, whoever records", async () => {
    await Promise.all([recordPrices(), recordPrices()]);
    await db().$executeRaw`UPDATE offer SET price_micro = 700000 WHERE price_micro = 300000`;
    await recordPrices();
    const points = await history({ days: 1 });
    expect(points).toMatchObject([{ low: 0.25, median: 0.3, offers_count: 3 }]);
    expect(points[0]?.at).toMatch(/:00:00\.000Z$/);
  });

  it("MKT-33 shows hours up to a week and days beyond, at the rate of now", async () => {
    await addSample("3 days", 400_000, 600_000, 2);
    await addSample("20 days", 200_000, 800_000, 3);
    await db().$executeRaw`
      INSERT INTO price_sample SELECT ${GPU}, date_trunc('day', now() - interval '30 days', 'UTC') + make_interval(hours => h), 100000 + h, 500000 + h, h + 1
      FROM generate_series(0, 4) h`;
    expect((await history({ days: 7, currency: "QOIN" })).map(({ low }) => low)).toEqual([40, 25]);
    const days = await history({ days: 60 });
    expect(days.map(({ low, median, offers_count }) => [low, median, offers_count])).toEqual([
      [0.1, 0.500002, 3],
      [0.2, 0.8, 3],
      [0.4, 0.6, 2],
      [0.25, 0.3, 3],
    ]);
    for (const { at } of days) expect(at).toMatch(/T00:00:00\.000Z$/);
  });

  it("MKT-34 keeps prices for 400 days", async () => {
    await addSample("401 days", 1, 1);
    await addSample("399 days", 7, 7);
    await forgetOldPrices();
    const { _min: oldest } = await db().priceSample.aggregate({ _min: { lowMicro: true } });
    expect(oldest.lowMicro).toBe(7n);
    expect((await history({ days: 400 }))[0]).toMatchObject({ low: 0.000007 });
  });

  it("MKT-35 has no history of a GPU that nobody knows, and refuses days that it does not keep", async () => {
    const missing = await callApi(operations.listGpuPrices, { key, params: { gpu_translit_name: "rtx-0" } });
    expect(missing.status).toBe(404);
    for (const days of [0, 401]) {
      const answer = await callApi(operations.listGpuPrices, {
        key,
        params: { gpu_translit_name: GPU },
        query: { days },
      });
      expect([answer.status, answer.error.detail]).toMatchObject([422, [{ loc: ["query", "days"] }]]);
    }
  });
});

describe("saved searches", () => {
  const save = (owner: string, name: string, search: object = {}) =>
    callApi(operations.createSavedSearch, { key: owner, body: { name, search } });

  it("MKT-40 keeps a search as it stands, and the search takes it back", async () => {
    const { key: own } = await makeAccount();
    const query = { gpu_translit_name: [GPU], vram_gt: 10, location: [], provider: null };
    const saved = await save(own, "Mine", { currency: "RUB", query, sort_by: "score_desc", limit: 5 });
    const search = {
      currency: "RUB",
      query: { gpu_translit_name: [GPU], vram_gt: 10 },
      sort_by: "score_desc",
    } as const;
    expect(saved.body.data).toMatchObject({ name: "Mine", search });
    const listed = await callApi(operations.listSavedSearches, { key: own });
    expect(listed.body).toMatchObject({ data: [saved.body.data], total_items: 1 });
    expect((await callApi(operations.searchMarket, { key: own, body: search })).status).toBe(200);
    const gone = { key: own, params: { search_id: saved.body.data.id } };
    expect((await callApi(operations.deleteSavedSearch, gone)).status).toBe(200);
    expect((await callApi(operations.deleteSavedSearch, gone)).status).toBe(404);
    expect((await callApi(operations.listSavedSearches, { key: own })).body.total_items).toBe(0);
  });

  it("MKT-41 has one search a name and account, and 100 an account, also when all come at once", async () => {
    const [{ key: own }, { key: other }] = [await makeAccount(), await makeAccount()];
    const twice = await Promise.all([save(own, "Same"), save(own, "Same")]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(twice.find(({ status }) => status === 422)?.error.detail).toMatchObject([
      { loc: ["body", "name"] },
    ]);
    expect((await save(other, "Same")).status).toBe(200);
    for (let n = 1; n < 98; n += 1) expect((await save(own, `Search ${n}`)).status).toBe(200);
    const last = await Promise.all(["a", "b", "c", "d"].map((name) => save(own, name)));
    expect(last.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
  });

  it("MKT-42 refuses what no search would take, and a key that may only read", async () => {
    const wrong = await save(key, "", { query: { vram_gt: "many" } });
    expect(wrong.error.detail).toMatchObject([
      { loc: ["body", "name"] },
      { loc: ["body", "search", "query", "vram_gt"] },
    ]);
    const { key: reader } = await makeAccount({ scopes: ["market:read"] });
    expect((await save(reader, "Mine")).error.code).toBe("scope_missing");
    expect((await callApi(operations.listSavedSearches, { key: reader })).status).toBe(200);
  });
});
