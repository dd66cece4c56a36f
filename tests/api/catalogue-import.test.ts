import { beforeAll, describe, expect, it } from "vitest";
import { generateOffers } from "@/lib/catalogue/generate-offers";
import { gpuModels } from "@/lib/catalogue/gpu-models";
import { importDrafts } from "@/lib/catalogue/import-drafts";
import type { OfferDraft } from "@/lib/catalogue/offer-draft";
import { seedGpus } from "@/lib/catalogue/seed-gpus";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { callApi, makeAccount, makeProvider, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";

useTestDatabase();
beforeAll(() => inTransaction(seedGpus));

const drafts = [...generateOffers({ offers: 1200, seed: "import" })];
const first: OfferDraft = { ...(drafts[0] as OfferDraft), inStock: true };
drafts[0] = first;

describe("importing a catalogue", () => {
  it("CAT-20 creates, finds unchanged, updates, withdraws and brings back", async () => {
    const run = (rows: OfferDraft[]) => importDrafts({ source: "c1", drafts: rows, runtime: "none" });
    const none = { withdrawn: 0, skippedCount: 0, skipped: [] };
    expect(await run(drafts)).toEqual({ created: 1200, updated: 0, unchanged: 0, ...none });
    expect(await run(drafts)).toEqual({ created: 0, updated: 0, unchanged: 1200, ...none });
    const dearer = { ...first, priceMicro: first.priceMicro + 1n };
    expect(await run([dearer, ...drafts.slice(1)])).toEqual({
      created: 0,
      updated: 1,
      unchanged: 1199,
      ...none,
    });
    expect(await run(drafts.slice(1))).toMatchObject({ unchanged: 1199, withdrawn: 1 });
    expect(await db().offer.count({ where: { catalogueSource: "c1", listed: true } })).toBe(1199);
    expect(await run(drafts)).toMatchObject({ created: 0, updated: 1, withdrawn: 0 });
  });

  it("CAT-21 changes nothing when the catalogue breaks in the middle", async () => {
    async function* broken() {
      yield* drafts.slice(0, 700);
      throw new Error("the file ends here");
    }
    await expect(importDrafts({ source: "c2", drafts: broken(), runtime: "none" })).rejects.toThrow(
      "ends here",
    );
    expect(await db().offer.count({ where: { catalogueSource: "c2" } })).toBe(0);
  });

  it("CAT-22 leaves a host owner's provider alone and says which row it skipped", async () => {
    const { userId } = await makeAccount();
    await makeProvider({ id: newId("prov"), ownerId: userId, translitName: "mine", isThirdParty: false });
    const provider = { ...first.provider, translitName: "mine" };
    const rows = [
      { line: 7, draft: { ...first, provider } },
      { line: 8, reason: "No such GPU." },
    ];
    const result = await importDrafts({ source: "c3", drafts: rows, runtime: "none" });
    expect(result).toMatchObject({ created: 0, skippedCount: 2 });
    expect(result.skipped.map(({ line }) => line).sort()).toEqual([7, 8]);
  });

  it("CAT-23 keeps the price of an instance when its offer is repriced or withdrawn", async () => {
    await importDrafts({ source: "c4", drafts: [first], runtime: "simulated" });
    const offer = await db().offer.findFirstOrThrow({ where: { catalogueSource: "c4" } });
    const { userId, key } = await makeAccount();
    const { templateId } = await makeTemplate(userId);
    const rent = await callApi(operations.createInstance, {
      key,
      body: { offer_id: offer.id, template_id: templateId },
    });
    expect(rent.status).toBe(200);
    const before = rent.body.data[0]?.uptime_price;
    await importDrafts({ source: "c4", drafts: [{ ...first, priceMicro: 9n }], runtime: "simulated" });
    await importDrafts({ source: "c4", drafts: [], runtime: "simulated" });
    const list = await callApi(operations.listInstances, { key });
    expect(list.body.data[0]?.uptime_price).toBe(before);
  });

  it("CAT-24 serialises two imports of one source", async () => {
    const run = () => importDrafts({ source: "c5", drafts: drafts.slice(0, 600), runtime: "none" });
    const results = await Promise.all([run(), run()]);
    expect(results.map(({ created }) => created).sort((a, b) => a - b)).toEqual([0, 600]);
  });

  it("CAT-25 offers what every model of the catalogue is", async () => {
    expect(gpuModels.length).toBeGreaterThan(40);
    expect(await db().gpu.count()).toBe(gpuModels.length);
  });
});
