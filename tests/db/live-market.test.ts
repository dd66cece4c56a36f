import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { JsonBytes } from "@/lib/kernel/json-bytes";
import { answerSearch } from "@/lib/market/answer-search";
import { countFacets, countFacetsInDatabase } from "@/lib/market/count-facets";
import { countOffersOfGpus, countOffersOfGpusInDatabase } from "@/lib/market/count-offers-of-gpus";
import { liveMarket, startLiveMarket } from "@/lib/market/index/live-index";
import { presentMarketOffer } from "@/lib/market/presenter";
import { searchOffers } from "@/lib/market/search-offers";
import { suggestRelaxation, suggestRelaxationInDatabase } from "@/lib/market/suggest-relaxation";
import { useTestDatabase } from "../support/api-setup";
import { makeRandomMarket, type Row, type SearchInput, searchBodies } from "../support/random-market";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

let rows: Row[] = [];
let live: { stop(): Promise<void> };
beforeAll(async () => {
  rows = await makeRandomMarket();
  live = await startLiveMarket((error) => {
    throw error;
  });
});
afterAll(() => live.stop());

async function read(input: SearchInput) {
  const body = operations.searchMarket.body.parse(input);
  const { query: filters, sort_by: sort, start, limit, currency } = body;
  return { filters, sort, start, limit, rate: await getRate(currency) };
}

async function fromMemory(input: SearchInput) {
  const answer = await answerSearch(await read(input));
  if (!(answer instanceof JsonBytes)) throw new Error("it was not answered from memory");
  const { ok, ...members } = JSON.parse(Buffer.from(answer.bytes).toString());
  expect(ok).toBe(true);
  return members;
}

async function fromDatabase(input: SearchInput) {
  const search = await read(input);
  const { items, total } = await searchOffers(search);
  return JSON.parse(
    JSON.stringify({
      data: items.map((offer) => presentMarketOffer(offer, search.rate)),
      total_items: total,
    }),
  );
}

const cheapest: SearchInput = { currency: "USD", query: {}, sort_by: "price_asc", limit: 3 };
const firstId = async () => (await fromMemory(cheapest)).data[0].id;
const setPrice = (id: string, micro: bigint) =>
  db().offer.update({ where: { id }, data: { priceMicro: micro } });

/** Of two spellings of a place either may be shown. */
const plain = (facets: object) => JSON.parse(JSON.stringify(facets).toLowerCase());
const sorted = (found: { filter: string }[]) => found.toSorted((a, b) => (a.filter < b.filter ? -1 : 1));

/** What may happen to offers, each to some of them. */
const changes = [
  (part: string) =>
    db()
      .$executeRaw`UPDATE offer SET price_micro = price_micro + 7 WHERE id LIKE ${part} AND price_micro < 9e9`,
  (part: string) => db().$executeRaw`UPDATE offer SET price_micro = 500000 WHERE id LIKE ${part}`,
  (part: string) => db().$executeRaw`UPDATE offer SET price_micro = NULL WHERE id LIKE ${part}`,
  (part: string) => db().$executeRaw`UPDATE offer SET leased = NOT leased WHERE id LIKE ${part}`,
  (part: string) => db().$executeRaw`UPDATE offer SET listed = NOT listed WHERE id LIKE ${part}`,
  (part: string) => db().$executeRaw`UPDATE offer SET live = NOT live WHERE id LIKE ${part}`,
  (part: string) =>
    db().$executeRaw`UPDATE offer SET vram_gb = NULL, city = 'Neustadt', score = 3 WHERE id LIKE ${part}`,
  (part: string) =>
    db()
      .$executeRaw`UPDATE offer SET unavailable_since = now() - interval '25 hours' WHERE id LIKE ${part} AND unavailable_since IS NOT NULL`,
] as const;

describe("the market in a node's memory", () => {
  it("IDX-10 answers every search as the database does, while offers change", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(changes.length - 1), fc.constantFrom("%a", "%B", "%c", "%7", "%Z%")), {
          maxLength: 2,
        }),
        fc.array(
          searchBodies(() => rows),
          { minLength: 10, maxLength: 10 },
        ),
        async (happens, searches) => {
          for (const [i, part] of happens) await changes[i]?.(part);
          await liveMarket()?.catchUp();
          for (const search of searches) {
            expect(await fromMemory(search)).toEqual(await fromDatabase(search));
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  it("IDX-15 counts facets and says what to relax as the database does, while offers change", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.nat(changes.length - 1), fc.constantFrom("%d", "%E", "%9", "%Y%")),
        fc.array(
          searchBodies(() => rows),
          { minLength: 5, maxLength: 5 },
        ),
        async ([i, part], searches) => {
          await changes[i]?.(part);
          await liveMarket()?.catchUp();
          for (const search of searches) {
            const asked = await read(search);
            const [facets, oracle] = [await countFacets(asked), await countFacetsInDatabase(asked)];
            expect(plain(facets)).toEqual(plain(oracle));
            const names = (facets.gpus ?? []).map((gpu) => gpu.gpu_translit_name);
            expect(await countOffersOfGpus(names)).toEqual(await countOffersOfGpusInDatabase(names));
            expect(sorted(await suggestRelaxation(asked))).toEqual(
              sorted(await suggestRelaxationInDatabase(asked)),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("IDX-11 misses none of two transactions that commit in the reverse of their order", async () => {
    const [a = "", b = ""] = (await fromMemory(cheapest)).data.map(({ id }: { id: string }) => id);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const early = inTransaction(async (tx) => {
      await tx.offer.update({ where: { id: a }, data: { priceMicro: 1n } });
      begun();
      await held;
    });
    await hasBegun;
    await setPrice(b, 2n);
    await waitUntil("the later one is seen while the earlier one runs", async () => (await firstId()) === b);
    letGo();
    await early;
    await waitUntil("the earlier one is seen", async () => (await firstId()) === a);
    await setPrice(b, 1_000_000n);
    await waitUntil("changes go on being seen", async () => (await fromMemory(cheapest)).data[1].id !== b);
  });

  it("IDX-12 sees a change whose hint is lost", async () => {
    await db().$executeRaw`ALTER TABLE offer DISABLE TRIGGER market_hint_of_changed`;
    try {
      const [, other = ""] = (await fromMemory(cheapest)).data.map(({ id }: { id: string }) => id);
      await db().$executeRaw`UPDATE offer SET price_micro = 1 WHERE price_micro < 10`;
      await db().$executeRaw`UPDATE offer SET price_micro = 999 WHERE id <> ${other} AND price_micro = 1`;
      await setPrice(other, 1n);
      await waitUntil("it is seen", async () => (await firstId()) === other);
    } finally {
      await db().$executeRaw`ALTER TABLE offer ENABLE TRIGGER market_hint_of_changed`;
    }
  });

  it("IDX-13 shows a provider under its new name, and finds it by that", async () => {
    const [offer] = (await fromMemory(cheapest)).data;
    await db().provider.update({
      where: { translitName: offer.provider_translit_name },
      data: { translitName: "renamed" },
    });
    const found = () => fromMemory({ ...cheapest, query: { provider: "renamed" } });
    await waitUntil("it is found", async () => (await found()).total_items > 0);
    expect(new Set((await found()).data.map((row: typeof offer) => row.provider_translit_name))).toEqual(
      new Set(["renamed"]),
    );
  });

  it("IDX-16 lets an offer go when its day is over, also from answers that are kept", async () => {
    const search = { ...cheapest, query: { rentable: false } };
    const ids = async () => (await fromMemory(search)).data.map(({ id }: { id: string }) => id);
    const count = async () => (await countFacets(await read(search))).total_items;
    const id = await firstId();
    await setPrice(id, 1n);
    await db().$executeRaw`UPDATE offer SET leased = true WHERE id = ${id}`;
    await db().$executeRaw`
      UPDATE offer SET unavailable_since = clock_timestamp() - interval '24 hours' + interval '10 seconds' WHERE id = ${id}`;
    await waitUntil("it is shown as rented", async () => (await ids())[0] === id);
    const shown = await count();
    await waitUntil("its day is over", async () => (await count()) === shown - 1);
    expect(await ids()).not.toContain(id);
  });

  it("IDX-14 is not taken for the market once the database has not been heard of for a while", async () => {
    expect(liveMarket()).not.toBeNull();
    await live.stop();
    expect(liveMarket()).toBeNull();
    expect(await answerSearch(await read(cheapest))).not.toBeInstanceOf(JsonBytes);
    live = await startLiveMarket(() => undefined);
    expect(await fromMemory(cheapest)).toEqual(await fromDatabase(cheapest));
  });
});
