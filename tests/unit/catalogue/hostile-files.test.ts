import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCatalogue } from "@/lib/catalogue/read-catalogue";
import { CatalogueFileError } from "@/lib/catalogue/text-input";
import { catalogueFormats } from "@/lib/contract/words";
import { primeItem, readAll, skypilotHeader, skypilotRow, streamOf } from "./support";

/** A stream of `times` copies of a chunk, which counts how many were taken from it. */
function endless(head: string, chunk: string, times: number) {
  const taken = { chunks: 0 };
  function* chunks() {
    yield Buffer.from(head);
    for (; taken.chunks < times; taken.chunks += 1) yield Buffer.from(chunk);
  }
  return { stream: Readable.from(chunks(), { objectMode: false }), taken };
}

const MIB = 1_048_576;

describe("hostile files", () => {
  test.each([
    ["skypilot-csv", `${skypilotHeader}\n`],
    ["berth-jsonl", ""],
    ["prime-json", '{"items": ["'],
  ] as const)("CAT-08 a line of 100 MB in %s fails at once instead of being held", async (format, head) => {
    const { stream, taken } = endless(head, "x".repeat(65_536), 1600);
    await expect(readAll(readCatalogue(stream, { format }))).rejects.toThrow(/longer than 1 MiB/);
    expect(taken.chunks * 65_536).toBeLessThan(3 * MIB);
    expect(stream.destroyed).toBe(true);
  });

  test("CAT-08 an endless key or blank in front of the list is passed over without being held", async () => {
    const { stream } = endless('{"', "k".repeat(MIB), 100);
    const before = process.memoryUsage().heapUsed;
    await expect(readAll(readCatalogue(stream, { format: "prime-json" }))).rejects.toThrow(
      /no list of offers/,
    );
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(80 * MIB);
  });

  test.each(catalogueFormats)("CAT-08 bad UTF-8 and NULs in %s are refused with the line", async (format) => {
    const good = {
      "skypilot-csv": `${skypilotHeader}\n${skypilotRow()}\n`,
      "berth-jsonl": "{}\n\n",
      "prime-json": "[{},\n{}\n,",
    };
    const badUtf8 = Buffer.concat([Buffer.from(good[format]), Buffer.from([0xc3, 0x28, 0xff])]);
    await expect(readAll(readCatalogue(streamOf(badUtf8, 3), { format }))).rejects.toThrow(
      /^Line 3: .*not UTF-8/,
    );
    await expect(readAll(readCatalogue(streamOf(badUtf8), { format }))).rejects.toThrow(
      /^Line 3: .*not UTF-8/,
    );
    const cut = Buffer.concat([Buffer.from(good[format]), Buffer.from([0xe2, 0x82])]);
    await expect(readAll(readCatalogue(streamOf(cut), { format }))).rejects.toThrow(/not UTF-8/);
    const nul = `${good[format]}\0`;
    await expect(readAll(readCatalogue(streamOf(nul), { format }))).rejects.toThrow(/^Line 3: .*NUL/);
  });

  test.each([
    ["", /no list of offers/],
    ['{"items": {"a": 1}}', /no list of offers/],
    ['{"error": "nope"}', /no list of offers/],
    ["}", /not JSON/],
    [`{"items": [${JSON.stringify(primeItem())}`, /ends in the middle/],
    [`{"items": [${JSON.stringify(primeItem()).slice(0, -5)}`, /ends in the middle/],
  ])("CAT-08 a JSON file that is cut short or something else fails as a whole: %j", async (text, problem) => {
    await expect(readAll(readCatalogue(streamOf(text), { format: "prime-json" }))).rejects.toThrow(problem);
  });

  test("CAT-08 a CSV of something else, or an empty one, fails as a whole", async () => {
    const format = "skypilot-csv" as const;
    await expect(readAll(readCatalogue(streamOf("a,b\n1,2\n"), { format }))).rejects.toThrow(
      /no column InstanceType/,
    );
    await expect(readAll(readCatalogue(streamOf(""), { format }))).rejects.toThrow(/empty/);
  });

  test("CAT-06 200,000-deep nesting, missing commas and __proto__ are one bad row each", async () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const good = JSON.stringify(primeItem());
    const proto = good.replace("{", '{"__proto__": {"gpuCount": 9},');
    const text = `[${deep},\n${good} ${good},\n{"a": 01},\n${proto},\n]`;
    const { drafts, skipped } = await readAll(readCatalogue(streamOf(text), { format: "prime-json" }));
    expect(skipped.map((row) => row.line)).toEqual([1, 2, 3, 5]);
    expect(drafts.map((draft) => draft.gpuAmount)).toEqual([1]);
    expect(Object.hasOwn(Object.prototype, "gpuCount")).toBe(false);

    const line = `{"catalogue_key": "a", "extra": ${deep}}`;
    const lines = await readAll(readCatalogue(streamOf(line), { format: "berth-jsonl" }));
    expect(lines.skipped).toEqual([{ line: 1, reason: expect.stringMatching(/deep|valid/) }]);
  });

  test("CAT-06 any bytes give rows, reasons or one clear refusal, never another error", async () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        skypilotHeader,
        skypilotRow(),
        JSON.stringify(primeItem()),
        '{"items":[',
        "]}",
        ",",
        "\r\n",
        "\n",
      ),
      fc.constantFrom(
        '"',
        "'",
        "{",
        "}",
        "[",
        "]",
        "\\",
        "\0",
        "\uFEFF",
        '{"catalogue_key":"k"',
        "1e999",
        "null",
      ),
      fc.string({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(pieces, { maxLength: 20 }),
        fc.uint8Array({ maxLength: 4 }),
        fc.constantFrom(undefined, ...catalogueFormats),
        fc.integer({ min: 1, max: 200 }),
        async (parts, tail, format, size) => {
          const bytes = Buffer.concat([Buffer.from(parts.join("")), tail]);
          try {
            const read = await readAll(readCatalogue(streamOf(bytes, size), format ? { format } : {}));
            for (const row of read.skipped) expect(row.reason).toMatch(/\S/);
          } catch (error) {
            expect(error).toBeInstanceOf(CatalogueFileError);
          }
        },
      ),
      { numRuns: 1500 },
    );
  });
});
