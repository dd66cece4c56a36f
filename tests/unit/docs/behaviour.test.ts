import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

function findTestFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(test|spec)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const PROMISE = /["'`]([A-Z]{2,5}-\d{2,3})[ :]/g;
const tested = new Set(
  findTestFiles(join(root, "tests")).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(PROMISE)].map(([, id]) => id),
  ),
);
const written = new Set(
  [
    ...readFileSync(join(root, "docs/behaviour.md"), "utf8").matchAll(/^- \*\*([A-Z]{2,5}-\d{2,3})\*\*/gm),
  ].map(([, id]) => id),
);

describe("docs/behaviour.md", () => {
  it("DOC-01 names every promise that a test holds, and none that no test holds", () => {
    expect([...tested].filter((id) => !written.has(id))).toEqual([]);
    expect([...written].filter((id) => !tested.has(id))).toEqual([]);
  });
});
