import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, expect, inject, test } from "vitest";
import { auth } from "@/lib/accounts/auth";
import { authenticateKey, authenticateSession } from "@/lib/accounts/caller";
import { revokeApiKey } from "@/lib/accounts/revoke-api-key";
import { gpuModels } from "@/lib/catalogue/gpu-models";
import { db } from "@/lib/db/client";
import { describeMarket, prepareMarket } from "@/lib/market-setup";
import { publishTemplate, unpublishTemplate } from "@/lib/templates/publish-template";
import { useTestDatabase } from "../support/api-setup";

useTestDatabase();

const LINK = "http://127.0.0.1:3000";
let folder = "";

beforeAll(() => {
  folder = join(inject("scratchFolder"), "market-setup");
  process.env.DATA_DIR = folder;
  process.env.DATABASE_POOL = "1";
});
afterEach(() => {
  process.env.HOST = "";
  process.env.PUBLIC_URL = "";
});

const published = () =>
  db().template.findMany({ where: { publishedAt: { not: null } }, orderBy: { id: "asc" } });

test("DEMO-01 a market that others can reach gets GPUs and presets but no demo", async () => {
  process.env.HOST = "0.0.0.0";
  process.env.PUBLIC_URL = "https://gpu.example.com";
  const market = await prepareMarket();
  expect(market).toEqual({ demo: null, isFirstStart: false, isEmpty: true });
  expect((await describeMarket(market, LINK)).join()).toContain("account create");
  expect(await db().gpu.count()).toBe(gpuModels.length);
  expect(await published()).toHaveLength(6);
  expect(await db().offer.count()).toBe(0);
  process.env.HOST = "";
  expect((await prepareMarket()).demo).toBeNull(); // a proxy stands in front of this loopback
});

test("DEMO-02 five nodes that start at once make one demo: 400 offers, three hosts, a funded renter", async () => {
  const markets = await Promise.all(Array.from({ length: 5 }, () => prepareMarket()));
  const keys = new Set(markets.map(({ demo }) => demo?.apiKey));
  expect(keys.size).toBe(1);
  const [market] = markets;
  const caller = await authenticateKey(market?.demo?.apiKey ?? "");
  expect(caller?.userId).toBe(market?.demo?.renterId);
  const count = (where: object) => db().offer.count({ where });
  expect(await count({ catalogueSource: "demo", runtime: "simulated" })).toBe(400);
  expect(await count({ host: { isNot: null }, rentable: true })).toBe(3);
  expect(await count({ rentable: true })).toBeGreaterThan(200);
  expect(await db().provider.count({ where: { description: { not: null } } })).toBeGreaterThan(10);
  expect((await stat(join(folder, "demo.json"))).mode & 0o777).toBe(0o600);
});

test("DEMO-03 the first start prints a link that signs the renter in once, and the key; a later one neither", async () => {
  const later = await prepareMarket();
  expect(later.isFirstStart).toBe(false);
  expect(await describeMarket(later, LINK)).toEqual([]);
  const lines = (await describeMarket({ ...later, isFirstStart: true }, LINK)).join("\n");
  expect(lines).toContain(later.demo?.apiKey);
  const url = /http:\S+/.exec(lines)?.[0] ?? "";
  const signIn = await auth().handler(new Request(url, { headers: { host: "127.0.0.1:3000" } }));
  const cookie = signIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const caller = await authenticateSession(new Headers({ cookie }));
  expect(caller?.userId).toBe(later.demo?.renterId);
});

test("DEMO-04 a later start only mends: what was withdrawn or unpublished stays so, what the program knows better is updated", async () => {
  const [first, second] = await published();
  if (!first || !second) throw new Error("no presets");
  await unpublishTemplate(first.id);
  await db().template.update({ where: { id: second.id }, data: { imageTag: "old" } });
  await db().gpu.update({ where: { translitName: "rtx-4090" }, data: { tdpWatts: 1 } });
  const before = await db().offer.count();
  await prepareMarket();
  expect(await db().offer.count()).toBe(before);
  expect(await published()).toHaveLength(5);
  const mended = await db().template.findUniqueOrThrow({ where: { id: second.id } });
  expect(mended).toMatchObject({ imageTag: second.imageTag, version: 1 });
  expect((await db().gpu.findUniqueOrThrow({ where: { translitName: "rtx-4090" } })).tdpWatts).toBe(450);
  await publishTemplate(first.id);
});

test("DEMO-05 a lost demo.json gets a new key; a key that was revoked stays revoked", async () => {
  const before = await prepareMarket();
  await rm(join(folder, "demo.json"));
  const after = await prepareMarket();
  expect(after.demo?.apiKey).not.toBe(before.demo?.apiKey);
  expect(await authenticateKey(after.demo?.apiKey ?? "")).not.toBeNull();
  await revokeApiKey(/^ak-(\w{12})_/.exec(after.demo?.apiKey ?? "")?.[1] ?? "");
  expect((await prepareMarket()).demo?.apiKey).toBeNull();
});
