import { createReadStream, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readCatalogue } from "@/lib/catalogue/read-catalogue";
import { readAll } from "./support";

// The samples are others' data and never copied into the project; where they are absent these tests are skipped.
const samples = fileURLToPath(new URL("../../../../shared/data/", import.meta.url));

describe("catalogues as published", () => {
  test("CAT-09 every row of SkyPilot's Vast catalogue is placed or has a reason", async (context) => {
    const file = `${samples}skypilot_v8_vast_vms.csv`;
    context.skip(!existsSync(file), "../shared/data/skypilot_v8_vast_vms.csv is not here");
    const { drafts, skipped } = await readAll(readCatalogue(createReadStream(file), { fileName: file }));
    expect(drafts.length + skipped.length).toBe(67);
    expect(skipped).toEqual([
      { line: 23, reason: expect.stringContaining("the row says 48 GB") },
      { line: 56, reason: expect.stringContaining("V100 PCIe 16GB or Tesla V100 SXM2 16GB") },
    ]);
    expect(new Set(drafts.map((draft) => draft.catalogueKey)).size).toBe(65);
    for (const draft of drafts) {
      expect(draft.country).not.toBeNull();
      expect(draft.provider.translitName).toBe("vast");
    }
    const again = await readAll(readCatalogue(createReadStream(file), { fileName: file }));
    expect(again.drafts).toEqual(drafts);
  });

  test("CAT-09 every item of Prime Intellect's answer is placed", async (context) => {
    const file = `${samples}prime_availability_response.json`;
    context.skip(!existsSync(file), "../shared/data/prime_availability_response.json is not here");
    const { drafts, skipped } = await readAll(readCatalogue(createReadStream(file)));
    expect(skipped).toEqual([]);
    expect(drafts.map((draft) => draft.gpuTranslitName)).toEqual([
      "a100-pcie-80gb",
      ...Array(4).fill("a100-sxm-80gb"),
      ...Array(2).fill("h100-sxm-80gb"),
      "h100-pcie-80gb",
    ]);
    expect(new Set(drafts.map((draft) => draft.provider.translitName))).toEqual(new Set(["runpod"]));
  });
});
