import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { writeBerthLine } from "@/lib/catalogue/berth-line";
import { generateOffers } from "@/lib/catalogue/generate-offers";
import type { OfferDraft } from "@/lib/catalogue/offer-draft";
import { seedGpus } from "@/lib/catalogue/seed-gpus";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { openUpload } from "@/lib/http/read-body";
import { newId } from "@/lib/kernel/ids";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { startServer } from "../support/server";
import { waitUntil } from "../support/wait-until";
import { makeImport } from "../support/world";

useTestDatabase();

const drafts = [...generateOffers({ offers: 1200, seed: "operator" })];
const fileOf = (rows: OfferDraft[]) => rows.map((draft) => `${writeBerthLine(draft)}\n`).join("");
const whole = fileOf(drafts);
const dearer = drafts.map((draft) => ({ ...draft, priceMicro: draft.priceMicro + 1n }));

let key: string;
beforeAll(async () => {
  await inTransaction(seedGpus);
  key = (await makeAccount({ roles: ["operator"] })).key;
});

function send(rawBody: string | Uint8Array, query: Record<string, string>, type = "text/plain") {
  return callApi(operations.createImport, { key, query, rawBody, headers: { "content-type": type } });
}

async function get(id: string) {
  return (await callApi(operations.getImport, { key, params: { import_id: id } })).body.data;
}

function ended(id: string) {
  return waitUntil("the import has ended", async () => {
    const found = await get(id);
    return found.status === "running" ? undefined : found;
  });
}

async function importWhole(name: string) {
  const { body } = await send(whole, { name });
  return ended(body.data.id);
}

/** Keeps an import from its last row until it is let go. */
async function holdLastOffer(source: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  await client.query("BEGIN");
  const held = await client.query(
    "SELECT 1 FROM offer WHERE catalogue_source = $1 AND catalogue_key = $2 FOR UPDATE",
    [source, drafts.at(-1)?.catalogueKey],
  );
  expect(held.rowCount).toBe(1);
  return () => client.end();
}

describe("imports", () => {
  it("OPER-17 takes a file, reads it and says what it did; a later one of its source updates and withdraws", async () => {
    const begun = await send(whole, { name: "made/up.jsonl", runtime: "simulated" });
    expect(begun.body.data).toMatchObject({
      name: "made/up.jsonl",
      source: "up.jsonl",
      format: "berth-jsonl",
      runtime: "simulated",
      size_bytes: Buffer.byteLength(whole),
    });
    const counts = { read: 1200, added: 1200, updated: 0, unchanged: 0, gone: 0, skipped: 0 };
    const first = await ended(begun.body.data.id);
    expect(first).toMatchObject({ status: "done", error: null, read_bytes: first.size_bytes, counts });
    expect(
      await db().offer.count({ where: { catalogueSource: "up.jsonl", rentable: true } }),
    ).toBeGreaterThan(0);
    const later = `${fileOf(dearer.slice(0, 3))}${fileOf(drafts.slice(3, -1))}{"catalogue_key":1}\n`;
    const { body } = await send(later, { name: "x", source: "up.jsonl", runtime: "simulated" });
    const second = await ended(body.data.id);
    expect(second.counts).toEqual({ read: 1200, added: 0, updated: 3, unchanged: 1196, gone: 1, skipped: 1 });
    expect(second.skipped).toEqual([{ line: 1200, reason: expect.any(String) }]);
    const { body: list } = await callApi(operations.listImports, { key, query: { limit: 2 } });
    expect(list.data.map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it("OPER-18 says how far it is while it is read, changes nothing before its end, and is the only one of its source", async () => {
    await importWhole("slow.jsonl");
    const letGo = await holdLastOffer("slow.jsonl");
    const { body } = await send(fileOf(dearer), { name: "slow.jsonl" });
    const { id } = body.data;
    await waitUntil("two batches are noted", async () => (await get(id)).counts.read === 1000 || undefined);
    expect(await get(id)).toMatchObject({ status: "running", counts: { updated: 1000 }, ended_at: null });
    const of = { catalogueSource: "slow.jsonl" };
    const first = { ...of, catalogueKey: drafts[0]?.catalogueKey ?? "" };
    expect(await db().offer.count({ where: { ...first, priceMicro: drafts[0]?.priceMicro ?? 0n } })).toBe(1);
    const second = await send(whole, { name: "slow.jsonl" });
    expect([second.status, second.error.code]).toEqual([409, "action_in_progress"]);
    await letGo();
    expect(await ended(id)).toMatchObject({ status: "done", counts: { updated: 1200 } });
  });

  it("OPER-19 an import whose server is gone has failed, and its source is free again", async () => {
    const heartbeatAt = new Date(Date.now() - 60_000);
    const id = await makeImport({ source: "lost.jsonl", heartbeatAt });
    const next = await importWhole("lost.jsonl");
    expect(next.status).toBe("done");
    expect(await get(id)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/import the file again/),
    });
  });

  it("OPER-19 one that was taken for lost and comes back changes nothing", async () => {
    await importWhole("zombie.jsonl");
    const letGo = await holdLastOffer("zombie.jsonl");
    const { body } = await send(fileOf(dearer), { name: "zombie.jsonl" });
    const { id } = body.data;
    await waitUntil("two batches are noted", async () => (await get(id)).counts.read === 1000 || undefined);
    await db().catalogueImport.update({
      where: { id },
      data: { status: "failed", error: "lost", endedAt: new Date() },
    });
    await letGo();
    const again = await importWhole("zombie.jsonl"); // after the other's lock on the source
    expect(again.counts).toMatchObject({ unchanged: 1200, updated: 0 });
    expect(await get(id)).toMatchObject({ status: "failed", error: "lost" });
  });

  it("OPER-20 a file that breaks in the middle changes nothing, and says where", async () => {
    const { body } = await send(Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0xfe])]), {
      name: "broken.jsonl",
    });
    expect(await ended(body.data.id)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^Line 1201: .*UTF-8/),
    });
    expect(await db().offer.count({ where: { catalogueSource: "broken.jsonl" } })).toBe(0);
  });

  it("OPER-20 refuses what is no catalogue, before it begins", async () => {
    for (const [file, query] of [
      ["", { name: "x" }],
      ["", { name: "x", format: "skypilot-csv" }],
      ["a,b\n1,2\n", { name: "x" }],
      [Buffer.from([0x1f, 0x8b, 8]), { name: "x.gz" }],
    ] as const) {
      const refused = await send(file, query);
      expect(refused.status).toBe(422);
      expect(refused.error.detail).toMatchObject([{ loc: ["body"], type: "format" }]);
    }
    const nameless = await send(whole, {});
    expect(nameless.error.detail).toEqual([
      { loc: ["query", "name"], msg: "Field required", type: "missing" },
    ]);
    const form = await send(whole, { name: "x" }, "multipart/form-data; boundary=x");
    expect([form.status, form.error.code]).toEqual([415, "unsupported_media_type"]);
    expect(
      await db().catalogueImport.count({ where: { fileName: { startsWith: "x" }, status: "failed" } }),
    ).toBe(0);
  });

  it("OPER-20 takes at most so many bytes, announced or not", async () => {
    const upload = { types: ["text/plain"], largest: 3 };
    const make = (headers: Record<string, string>) =>
      new Request("http://127.0.0.1/", { method: "POST", body: Buffer.from("four"), headers });
    expect(() => openUpload(make({ "content-length": "4" }), upload)).toThrow("at most");
    await expect(text(openUpload(make({}), upload))).rejects.toMatchObject({
      code: "payload_too_large",
    });
  });

  it("OPER-21 takes more than other bodies may have over HTTP, and keeps no file of it", async () => {
    const DATA_DIR = env().DATA_DIR;
    const { url } = await startServer({ DATABASE_URL: process.env.DATABASE_URL ?? "", DATA_DIR });
    const large = whole.repeat(Math.ceil((3 * 1024 * 1024) / whole.length));
    const answer = await fetch(`${url}/v0/operator/imports?name=${newId("imp")}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/x-ndjson" },
      body: large,
    });
    expect(answer.status).toBe(200);
    const { data } = await answer.json();
    expect(data.size_bytes).toBe(Buffer.byteLength(large));
    expect((await ended(data.id)).status).toBe("done");
    expect(readdirSync(DATA_DIR).filter((name) => name.startsWith("imp_"))).toEqual([]);
  });
});
