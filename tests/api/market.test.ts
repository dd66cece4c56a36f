import { beforeAll, describe, expect, it } from "vitest";
import { setRate } from "@/lib/billing/exchange-rates";
import { seedGpus } from "@/lib/catalogue/seed-gpus";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { callApi, makeAccount, makeOffer, makeProvider } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

let key = "";
beforeAll(async () => {
  await inTransaction(seedGpus);
  ({ key } = await makeAccount());
});

async function findOffer(id: string, currency: "USD" | "RUB" | "QOIN" = "USD") {
  const answer = await callApi(operations.searchMarket, { key, body: { currency } });
  return answer.body.data.find((offer) => offer.id === id);
}

describe("what the market shows", () => {
  it("MKT-10 shows the price of every period after its discount, of the whole offer and of one GPU", async () => {
    const { offerId } = await makeOffer({ gpuAmount: 2, priceMicro: 1_000_001n });
    const offer = await findOffer(offerId);
    expect(offer?.prices.map(({ period, price, discount }) => [period, price, discount])).toEqual([
      ["hour", 1.000001, 0],
      ["day", 1.000001, 0],
      ["week", 0.950001, 5],
      ["month", 0.800001, 20],
      ["quarter", 0.700001, 30],
      ["half_year", 0.600001, 40],
      ["year", 0.600001, 40],
    ]);
    expect(offer?.prices[0]?.price_per_gpu).toBe(0.500001);
    expect(offer?.disk_prices).toEqual([{ currency: "USD", period: "month", unit: "gb", price: 0.1 }]);
  });

  it("MKT-11 converts by the rate in force; a new one acts at once, and within a second where another node set it", async () => {
    const { offerId } = await makeOffer({ priceMicro: 420_000n });
    expect((await findOffer(offerId, "RUB"))?.prices[0]).toMatchObject({ currency: "RUB", price: 33.6 });
    await setRate("RUB", "78.5");
    const shown = async () => (await findOffer(offerId, "RUB"))?.prices[0]?.price;
    expect(await shown()).toBe(32.97);
    await db().exchangeRate.create({ data: { currency: "RUB", unitsPerUsd: "80" } });
    await waitUntil("the other node's rate is shown", async () => (await shown()) === 33.6);
  });

  it("MKT-12 keeps a rented offer for a day and then leaves it out until it is back", async () => {
    const { offerId } = await makeOffer();
    await db().$executeRaw`UPDATE offer SET leased = true WHERE id = ${offerId}`;
    expect(await findOffer(offerId)).toMatchObject({ in_stock: false, rentable: false });
    await db()
      .$executeRaw`UPDATE offer SET unavailable_since = now() - interval '24 hours 1 second' WHERE id = ${offerId}`;
    expect(await findOffer(offerId)).toBeUndefined();
    await db().$executeRaw`UPDATE offer SET leased = false WHERE id = ${offerId}`;
    expect(await findOffer(offerId)).toMatchObject({ in_stock: true, rentable: true });
  });

  it("MKT-13 rents nothing out behind which no runtime stands", async () => {
    const { offerId } = await makeOffer({ runtime: "none" });
    expect(await findOffer(offerId)).toMatchObject({ in_stock: true, rentable: false, simulated: false });
  });

  it("MKT-14 shows a GPU in the asked language, with the lowest price of one card that can be rented", async () => {
    const gpuTranslitName = "rtx-4090";
    await makeOffer({ gpuTranslitName, gpuAmount: 4, priceMicro: 1_000_000n });
    await makeOffer({ gpuTranslitName, gpuAmount: 1, priceMicro: 100_000n, leased: true });
    const ask = (query: Record<string, string>) =>
      callApi(operations.getGpu, { key, params: { gpu_translit_name: gpuTranslitName }, query });
    const [en, ru, qoin] = await Promise.all([ask({}), ask({ lang: "ru" }), ask({ currency: "QOIN" })]);
    expect(en.body.data).toMatchObject({ translit_name: gpuTranslitName, best_price: 0.25, currency: "USD" });
    expect(ru.body.data.description).toMatch(/[а-я]/);
    expect(en.body.data.description).not.toMatch(/[а-я]/);
    expect(qoin.body.data).toMatchObject({ best_price: 25, currency: "QOIN" });
    const missing = await callApi(operations.getGpu, { key, params: { gpu_translit_name: "rtx-0" } });
    expect(missing.status).toBe(404);
  });

  it("MKT-15 counts a provider's live offers and GPUs, and sorts by the mean of their scores", async () => {
    const good = await makeProvider({ name: "Good" });
    const poor = await makeProvider({ name: "Poor" });
    await makeOffer({ providerId: good, gpuAmount: 4, score: 90 });
    await makeOffer({ providerId: good, gpuAmount: 2, score: 70 });
    await makeOffer({ providerId: good, gpuAmount: 8, listed: false, score: 0 });
    await makeOffer({ providerId: poor, score: 10 });
    const list = async (sort_by: string) => {
      const { body } = await callApi(operations.listProviders, { key, query: { sort_by } });
      return body.data.filter(({ id }) => id === good || id === poor);
    };
    expect(
      (await list("score_desc")).map(({ name, offers, gpus_count }) => [name, offers, gpus_count]),
    ).toEqual([
      ["Good", 2, 6],
      ["Poor", 1, 1],
    ]);
    expect((await list("score_asc")).map(({ name }) => name)).toEqual(["Poor", "Good"]);
    const one = await callApi(operations.getProvider, {
      key,
      params: { provider_translit_name: good.toLowerCase() },
    });
    expect(one.body.data).toMatchObject({ id: good, offers: 2 });
  });
});
