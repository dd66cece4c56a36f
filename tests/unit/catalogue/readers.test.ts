import { describe, expect, test } from "vitest";
import { writeBerthLine } from "@/lib/catalogue/berth-line";
import { detectFormat } from "@/lib/catalogue/detect-format";
import { generateOffers } from "@/lib/catalogue/generate-offers";
import { parseDecimal, parsePriceMicro } from "@/lib/catalogue/parse-decimal";
import { findCountry } from "@/lib/catalogue/places";
import { readBerthJsonl } from "@/lib/catalogue/read-berth-jsonl";
import { readCatalogue } from "@/lib/catalogue/read-catalogue";
import { readPrimeJson } from "@/lib/catalogue/read-prime-json";
import { readSkypilotCsv } from "@/lib/catalogue/read-skypilot-csv";
import { guessSkypilotCloud } from "@/lib/catalogue/third-party-providers";
import { primeItem, readAll, skypilotHeader, skypilotRow, streamOf } from "./support";

function readSkypilot(rows: string[], lineEnd = "\r\n", cloud: string | null = "vast") {
  const text = [skypilotHeader, ...rows].join(lineEnd) + lineEnd;
  return readAll(readSkypilotCsv(streamOf(text), { cloud }));
}

function readPrime(items: unknown[]) {
  return readAll(readPrimeJson(streamOf(JSON.stringify({ items, totalCount: items.length }))));
}

describe("SkyPilot's CSV", () => {
  test.each(["\r\n", "\n"])("CAT-04 a row becomes an offer, whatever the line end (%j)", async (lineEnd) => {
    const { drafts, skipped, lines } = await readSkypilot([skypilotRow()], lineEnd);
    expect(skipped).toEqual([]);
    expect(lines).toEqual([2]);
    expect(drafts).toEqual([
      {
        catalogueKey: "2x-RTX_4090-32-65536|49128|Lapland, FI, EU",
        provider: {
          translitName: "vast",
          name: "Vast.ai",
          country: "United States",
          url: "https://vast.ai",
        },
        gpuTranslitName: "rtx-4090",
        gpuAmount: 2,
        vramGb: 24,
        ramGb: null,
        diskGb: null,
        cpuName: null,
        vcpu: null,
        cpuCores: null,
        cpuFreqGhz: null,
        memorySpeedGbps: 1008,
        ethernetInMbps: null,
        ethernetOutMbps: null,
        capacityTflops: 165.2,
        maxCudaVersion: null,
        city: "Lapland",
        country: "Finland",
        region: "Europe",
        url: "https://vast.ai",
        priceMicro: 810_000n,
        diskPriceMicro: null,
        thirdPartyId: "vast",
        cloudId: "2x-RTX_4090-32-65536",
        inStock: true,
        extra: { upstream_region: "Lapland, FI, EU" },
      },
    ]);
  });

  test("CAT-04 the instance type names the card, not the shortened accelerator name", async () => {
    const { drafts } = await readSkypilot([
      skypilotRow({ type: "2x-RTX_4070S_Ti-32-65536", name: "RTX4070", mib: "32752" }),
    ]);
    expect(drafts.map((draft) => draft.gpuTranslitName)).toEqual(["rtx-4070-ti-super"]);
  });

  test("CAT-04 places are read from the right, with and without an area", async () => {
    const regions = [
      ", US, NA",
      "Sweden, SE, EU",
      "Hong Kong, HK, AS",
      "A, B, JP, AS",
      "us-east-1",
      "X, QQ, EU",
    ];
    const { drafts } = await readSkypilot(regions.map((region) => skypilotRow({ region })));
    expect(drafts.map((draft) => [draft.city, draft.country, draft.region])).toEqual([
      [null, "United States", "North America"],
      [null, "Sweden", "Europe"],
      [null, "Hong Kong", "Asia"],
      ["A, B", "Japan", "Asia"],
      [null, null, null],
      [null, null, null],
    ]);
  });

  test("CAT-05 rows that look the same keep the same keys from import to import, whatever they cost", async () => {
    const first = await readSkypilot([skypilotRow(), skypilotRow(), skypilotRow({ region: "Oslo, NO, EU" })]);
    const second = await readSkypilot([skypilotRow({ price: "0.99" }), skypilotRow({ price: "1.20" })]);
    const keys = first.drafts.map((draft) => draft.catalogueKey);
    expect(new Set(keys).size).toBe(3);
    expect(keys[1]).toBe(`${keys[0]}#2`);
    expect(second.drafts.map((draft) => draft.catalogueKey)).toEqual(keys.slice(0, 2));
  });

  test("CAT-04 other clouds' rows keep their real vCPUs and memory, and their instance type tells the socket", async () => {
    const info = `{'Gpus': [{'Name': 'A100', 'Manufacturer': "NVIDIA", 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 655360}`;
    const row = skypilotRow({
      type: "gpu_8x_a100_80gb_sxm4",
      name: "A100-80GB",
      count: "8",
      info: info.replaceAll('"', '""'),
    });
    const { drafts } = await readSkypilot([row], "\n", "lambda");
    expect(drafts).toMatchObject([
      { gpuTranslitName: "a100-sxm-80gb", gpuAmount: 8, vcpu: 32, ramGb: 64, provider: { name: "Lambda" } },
    ]);
  });

  test.each([
    ["no GPU", skypilotRow().replace(",RTX4090,", ",,"), /no GPU/],
    ["half a GPU", skypilotRow({ count: "0.5" }), /AcceleratorCount/],
    ["no price", skypilotRow({ price: "" }), /Price/],
    ["price 0", skypilotRow({ price: "0.00" }), /Price/],
    ["price -1", skypilotRow({ price: "-1" }), /Price/],
    ["price 1e400", skypilotRow({ price: "1e400" }), /Price/],
    ["broken GpuInfo", skypilotRow({ info: "{'Gpus': [" }), /GpuInfo/],
    ["code in GpuInfo", skypilotRow({ info: "__import__('os').system('id')" }), /GpuInfo/],
    ["another memory", skypilotRow({ mib: "98280" }), /known with 24 GB, but the row says 48 GB/],
    ["too few columns", "1x-RTX_4090,RTX4090,1", /9 comma-separated values/],
    ["an open quote", skypilotRow().replace(/"$/, ""), /9 comma-separated values/],
  ])(
    "CAT-06 a row with %s is skipped with its line and a reason, and the next one is read",
    async (_, row, reason) => {
      const { drafts, skipped } = await readSkypilot([row, skypilotRow()]);
      expect(skipped).toEqual([{ line: 2, reason: expect.stringMatching(reason) }]);
      expect(drafts).toHaveLength(1);
    },
  );

  test("CAT-04 the cloud is guessed from the path", () => {
    expect(guessSkypilotCloud("../shared/data/skypilot_v8_vast_vms.csv")).toBe("vast");
    expect(guessSkypilotCloud("catalogs/v8/runpod/vms.csv")).toBe("runpod");
    expect(guessSkypilotCloud("vms.csv")).toBeNull();
  });
});

describe("Prime Intellect's JSON", () => {
  test("CAT-04 an item becomes an offer of the provider that stands behind it", async () => {
    const { drafts, skipped } = await readPrime([primeItem()]);
    expect(skipped).toEqual([]);
    expect(drafts).toMatchObject([
      {
        provider: { translitName: "examplecloud", name: "examplecloud", country: null, url: null },
        gpuTranslitName: "h100-sxm-80gb",
        gpuAmount: 1,
        vramGb: 80,
        ramGb: 200,
        diskGb: 500,
        vcpu: 20,
        country: "Finland",
        region: "Europe",
        priceMicro: 2_100_000n,
        diskPriceMicro: 72_000n,
        cloudId: "gpu_1x_h100",
        inStock: true,
        extra: { data_center: "EX-1", stock_status: "High" },
      },
    ]);
  });

  test("CAT-04 a price in binary fractions is rounded to micro-units, not cut", async () => {
    const { drafts } = await readPrime([
      primeItem({ prices: { onDemand: 1.6567999999999998, currency: "USD" } }),
      primeItem({ prices: { onDemand: null, communityPrice: 1.5 }, stockStatus: "Unavailable" }),
    ]);
    expect(drafts.map((draft) => draft.priceMicro)).toEqual([1_656_800n, 1_500_000n]);
    expect(drafts.map((draft) => draft.inStock)).toEqual([true, false]);
  });

  test("CAT-04 memory given for all GPUs together is understood", async () => {
    const { drafts } = await readPrime([
      primeItem({ gpuCount: 8, gpuMemory: 640 }),
      primeItem({ gpuCount: 8 }),
    ]);
    expect(drafts.map((draft) => draft.gpuTranslitName)).toEqual(["h100-sxm-80gb", "h100-sxm-80gb"]);
  });

  test.each([
    ["a spot offer", { isSpot: true }, /spot/],
    ["another currency", { prices: { onDemand: 1, currency: "EUR" } }, /not in USD/],
    ["no price", { prices: {} }, /price/],
    ["no GPU", { gpuType: "CPU_NODE" }, /no GPU model/],
    ["no socket where two share the name", { socket: null }, /socket/],
    ["a count of 0", { gpuCount: 0 }, /gpuCount/],
    ["a count of 1.5", { gpuCount: 1.5 }, /gpuCount/],
    ["a NUL in a text", { cloudId: "a\u0000b" }, /control character/],
    ["half a surrogate pair", { dataCenter: "\ud800" }, /surrogate/],
    ["a control character", { provider: "run\npod" }, /provider/],
    ["a provider without letters", { provider: "!!" }, /provider/],
  ])(
    "CAT-06 an item with %s is skipped with a reason, and the next one is read",
    async (_, change, reason) => {
      const { drafts, skipped } = await readPrime([primeItem(change), primeItem()]);
      expect(skipped).toEqual([{ line: 1, reason: expect.stringMatching(reason) }]);
      expect(drafts).toHaveLength(1);
    },
  );

  test.each([1, 7, 4096])(
    "CAT-06 lines are counted and cuts may fall anywhere (chunks of %i bytes)",
    async (size) => {
      const note = { note: 'é "quoted", [not a list], {"items": 1} \\' };
      const items = [
        primeItem(),
        { ...primeItem({ gpuType: "A10G" }), ...note },
        primeItem({ cloudId: "ü" }),
      ];
      const text = JSON.stringify({ other: { items: [1] }, items, totalCount: 3 }, null, 2);
      const { drafts, skipped, lines } = await readAll(readPrimeJson(streamOf(text, size)));
      expect(drafts.map((draft) => draft.cloudId)).toEqual(["gpu_1x_h100", "ü"]);
      const starts = text.split("\n").flatMap((line, at) => (line === "    {" ? [at + 1] : []));
      expect([...lines, ...skipped.map((row) => row.line)].sort((a, b) => a - b)).toEqual(starts.slice(-3));
    },
  );

  test("CAT-04 a bare list and an empty one are read too", async () => {
    expect((await readAll(readPrimeJson(streamOf(JSON.stringify([primeItem()]))))).drafts).toHaveLength(1);
    expect(await readPrime([])).toEqual({ drafts: [], skipped: [], lines: [] });
  });
});

describe("Berth's JSON Lines", () => {
  test("CAT-04 what is written is read back the same", async () => {
    const drafts = [...generateOffers({ offers: 500, seed: "round trip" })];
    const text = drafts.map(writeBerthLine).join("\n");
    const read = await readAll(readBerthJsonl(streamOf(text, 1000)));
    expect(read.skipped).toEqual([]);
    expect(read.drafts).toEqual(drafts);
  });

  const least = {
    catalogue_key: "k1",
    provider: { translit_name: "my-shop", name: "My shop" },
    gpu_name: "NVIDIA GeForce RTX 3090",
    gpu_amount: 2,
    price_usd_per_hour: 0.1,
  };

  test("CAT-04 the least that a line must say is enough; the rest is unknown or the model's", async () => {
    const { drafts } = await readAll(readBerthJsonl(streamOf(`\n${JSON.stringify(least)}\n\n`)));
    expect(drafts).toMatchObject([
      {
        gpuTranslitName: "rtx-3090",
        vramGb: 24,
        capacityTflops: 71.2,
        priceMicro: 100_000n,
        ramGb: null,
        inStock: true,
      },
    ]);
  });

  test.each([
    ["not JSON", "{", /not valid JSON/],
    ["not an object", "[]", /the line/],
    ["an unknown model", { ...least, gpu_translit_name: "rtx-9999" }, /not a model of the catalogue/],
    [
      "another memory than its model",
      { ...least, gpu_translit_name: "rtx-3090", vram_gb: 12 },
      /known with 24 GB/,
    ],
    ["no model", { ...least, gpu_name: undefined }, /must be given/],
    ["a price of 0", { ...least, price_usd_per_hour: "0" }, /price_usd_per_hour/],
    ["a price over 10000", { ...least, price_usd_per_hour: 10000.000001 }, /price_usd_per_hour/],
    ["a url that is not https", { ...least, url: "javascript:alert(1)" }, /url/],
    [
      "a provider name with capitals",
      { ...least, provider: { translit_name: "A b", name: "x" } },
      /translit_name/,
    ],
    ["a huge extra", { ...least, extra: { a: "x".repeat(20_000) } }, /extra/],
    ["1e400", JSON.stringify(least).replace("0.1", "1e400"), /too large/],
  ])("CAT-06 a line with %s is skipped with a reason, and the next one is read", async (_, bad, reason) => {
    const first = typeof bad === "string" ? bad : JSON.stringify(bad);
    const { drafts, skipped } = await readAll(readBerthJsonl(streamOf(`${first}\n${JSON.stringify(least)}`)));
    expect(skipped).toEqual([{ line: 1, reason: expect.stringMatching(reason) }]);
    expect(drafts).toHaveLength(1);
  });

  test("CAT-05 a key that was used before is refused, so that one import has each key once", async () => {
    const line = JSON.stringify(least);
    const { drafts, skipped } = await readAll(readBerthJsonl(streamOf(`${line}\n${line}`)));
    expect(drafts).toHaveLength(1);
    expect(skipped).toEqual([{ line: 2, reason: expect.stringContaining("catalogue_key") }]);
  });
});

describe("choosing the reader", () => {
  const berthLine = '{"catalogue_key":"a"}';
  test.each([
    [`\uFEFF${skypilotHeader}\r\n`, "skypilot-csv"],
    [berthLine, "berth-jsonl"],
    ['{\n  "items": [', "prime-json"],
    ["[{", "prime-json"],
  ])("CAT-07 %j is %s", (head, format) => {
    expect(detectFormat(Buffer.from(head))).toBe(format);
  });

  test.each([
    [Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
    [Buffer.from([0xff, 0xfe, 65, 0]), /UTF-16/],
    [Buffer.from("a,b,c\n1,2,3\n"), /not recognised.*Name its format/],
    [Buffer.from(" \n"), /empty/],
  ])("CAT-07 what is none of them is refused with what to do", async (head, reason) => {
    expect(detectFormat(head)).toEqual({ reason: expect.stringMatching(reason) });
    await expect(readAll(readCatalogue(streamOf(head)))).rejects.toThrow(reason);
  });

  test("CAT-07 a file is read by what it is, and its stream is closed when the reader stops early", async () => {
    const many = [skypilotHeader, ...Array.from({ length: 5000 }, () => skypilotRow())].join("\n");
    const stream = streamOf(many, 4096);
    for await (const row of readCatalogue(stream, { fileName: "catalogs/vast/vms.csv" })) {
      expect(row).toMatchObject({ line: 2, draft: { provider: { translitName: "vast" } } });
      break;
    }
    expect(stream.destroyed).toBe(true);
  });
});

describe("numbers and places", () => {
  test("CAT-04 decimals become integers exactly, rounded half up", () => {
    expect(parseDecimal("2.65", 6)).toBe(2_650_000n);
    expect(parseDecimal("0.0000005", 6)).toBe(1n);
    expect(parseDecimal("0.00000049", 6)).toBe(0n);
    expect(parseDecimal("1e-7", 6)).toBe(0n);
    expect(parseDecimal("1.5e2", 6)).toBe(150_000_000n);
    expect(parseDecimal("999999999999.999999", 6)).toBe(999_999_999_999_999_999n);
    for (const bad of ["", "-1", "1,5", "NaN", "Infinity", "0x10", "1e999", ".5", "٣"])
      expect(parseDecimal(bad, 6), bad).toBeNull();
    expect([parsePriceMicro("10000"), parsePriceMicro("10000.000001"), parsePriceMicro("0")]).toEqual([
      10_000_000_000n,
      null,
      null,
    ]);
  });

  test("CAT-04 country codes become English names and continents", () => {
    expect(findCountry("fr")).toEqual({ country: "France", region: "Europe" });
    expect(findCountry("GB")).toEqual({ country: "United Kingdom", region: "Europe" });
    expect(findCountry("HK")).toEqual({ country: "Hong Kong", region: "Asia" });
    expect(findCountry("BR")).toEqual({ country: "Brazil", region: "South America" });
    for (const bad of ["", "EU", "ZZ", "France", "__proto__", "U", "\u0000"])
      expect(findCountry(bad), bad).toBeNull();
  });
});
