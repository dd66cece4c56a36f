import pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { generateOffers } from "@/lib/catalogue/generate-offers";
import { importDrafts } from "@/lib/catalogue/import-drafts";
import { seedGpus } from "@/lib/catalogue/seed-gpus";
import type { MarketChangeData } from "@/lib/contract/market-change";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { createSimulatedHost } from "@/lib/hosts/create-simulated-host";
import { dispatch } from "@/lib/http/router";
import { startTestServer, stopTestServers } from "../server/start-test-server";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { openStream, type StreamOptions } from "../support/streams";
import { waitUntil } from "../support/wait-until";
import { rent } from "../support/world";

useTestDatabase();
beforeAll(() => inTransaction(seedGpus));

let userId: string;
let key: string;
let server: string;
let hostId: string;
let offerId: string;
beforeEach(async () => {
  ({ userId, key } = await makeAccount());
  ({ hostId, offerId } = await createSimulatedHost({
    userId,
    gpu: "rtx-4090",
    gpus: 1,
    priceMicro: 1_000_000n,
  }));
  server = (await startTestServer({ dispatch })).url;
});
afterEach(async () => {
  await stopTestServers();
  await waitUntil("no listener", async () => (await listeners()).length === 0);
});

const LISTENER = "application_name = 'berth market hints' AND datname = current_database()";

function listeners(): Promise<{ pid: number; listens: boolean }[]> {
  return db().$queryRawUnsafe(
    `SELECT pid, query LIKE 'LISTEN%' AND state = 'idle' AS listens FROM pg_stat_activity WHERE ${LISTENER}`,
  );
}

const follow = (options: StreamOptions = {}) =>
  openStream<MarketChangeData>(`${server}/v0/market/changes`, key, options);

/** One that was told that anything may have changed, because the connection is new, and follows from here on. */
async function followFirst() {
  const client = await follow();
  expect((await client.until(1))[0]?.data.offer_ids).toBeNull();
  return client;
}

const reprice = (price: number) =>
  callApi(operations.updateHost, { key, params: { host_id: hostId }, body: { price } });

describe("changes of the market", () => {
  it("CHG-01 a new price, a rental and a withdrawal are told within two seconds, with the offer", async () => {
    const client = await followFirst();
    expect(client.headers).toMatchObject({ "content-type": "text/event-stream; charset=utf-8" });
    const { templateId } = await makeTemplate(userId);
    const changes = [
      () => reprice(2),
      () => rent(key, { offer_id: offerId, template_id: templateId }),
      () => callApi(operations.withdrawHost, { key, params: { host_id: hostId } }),
    ];
    for (const [done, change] of changes.entries()) {
      await change();
      const told = (await client.until(done + 2)).at(-1);
      expect(told?.data.offer_ids).toEqual([offerId]);
      expect([told?.event, told?.id]).toEqual(["change", told?.data.at]);
    }
  });

  it("CHG-02 an import of thousands of offers is few hints and one change that names none", async () => {
    const hints: string[] = [];
    const ear = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await ear.connect();
    onTestFinished(() => ear.end());
    ear.on("notification", ({ payload = "" }) => hints.push(payload));
    await ear.query("LISTEN berth_market");
    const client = await followFirst();
    await importDrafts({
      source: "many",
      drafts: generateOffers({ offers: 3_000, seed: "many" }),
      runtime: "none",
    });
    const [, told] = await client.until(2);
    expect(told?.data.offer_ids).toBeNull();
    await reprice(3);
    expect((await client.until(3)).at(-1)?.data.offer_ids).toEqual([offerId]);
    await waitUntil("the last hint", async () => hints.some((hint) => hint.includes(offerId)));
    expect(hints.length).toBeLessThan(5);
  });

  it("CHG-03 many changes are told at most once a second, none of them lost", async () => {
    const others = await Promise.all(
      Array.from({ length: 20 }, () =>
        createSimulatedHost({ userId, gpu: "rtx-4090", gpus: 1, priceMicro: 1n }),
      ),
    );
    const client = await followFirst();
    const began = performance.now();
    const ids = others.map((other) => other.offerId);
    for (const id of ids) await db().offer.update({ where: { id }, data: { priceMicro: 5n } });
    const named = () => new Set(client.events.flatMap(({ data }) => data.offer_ids ?? []));
    await waitUntil("every offer to be named", async () => ids.every((id) => named().has(id)));
    const seconds = (performance.now() - began) / 1_000;
    expect(client.events.length - 1).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  });

  it("CHG-04 one connection of a process serves all who follow, and a lost one is told as any change", async () => {
    const clients = [await followFirst(), await follow(), await follow()];
    const [listener, ...more] = await listeners();
    expect(more).toEqual([]);
    const told = clients.map(({ events }) => events.length);
    await db().$executeRawUnsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${LISTENER}`);
    for (const [i, client] of clients.entries()) {
      const [change] = (await client.until((told[i] ?? 0) + 1)).slice(told[i]);
      expect(change?.data.offer_ids).toBeNull();
    }
    await waitUntil("another listener", async () => {
      const [now] = await listeners();
      return now?.listens && now.pid !== listener?.pid;
    });
    await reprice(4);
    for (const client of clients) {
      await waitUntil("the price", async () => client.events.at(-1)?.data.offer_ids?.[0] === offerId);
    }
  });

  it("CHG-05 a connection that fell silent without a word costs at most ten seconds", async () => {
    const client = await followFirst();
    const [listener] = await listeners();
    const pid = listener?.pid ?? 0;
    process.kill(pid, "SIGSTOP");
    try {
      await reprice(5);
      await client.until(2);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  it("CHG-06 one that connects again is told at once; a plain GET says when an offer last changed", async () => {
    const state = async () => (await callApi(operations.followMarketChanges, { key })).body.data.at;
    const before = await state();
    await followFirst();
    const again = await follow({ lastEventId: before ?? "" });
    const [told] = await again.until(1);
    expect(told?.data).toEqual({ at: before, offer_ids: null });
    await reprice(6);
    expect(Date.parse((await state()) ?? "")).toBeGreaterThan(Date.parse(before ?? ""));
  });

  it("CHG-07 an account follows the market 20 times at once on a node, and no more", async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => follow()));
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await follow()).status).toBe(429);
    clients[0]?.cut();
    await waitUntil("a place", async () => (await follow()).status === 200);
  });
});
