import { catalogueFormats } from "../contract/words";

export type CatalogueFormat = (typeof catalogueFormats)[number];

/** How much of the beginning of a file detectFormat wants to see, in bytes. */
export const DETECTION_BYTES = 16_384;

const BINARY_STARTS: [bytes: number[], is: string][] = [
  [[0x1f, 0x8b], "compressed with gzip: unpack it first"],
  [[0x50, 0x4b, 0x03, 0x04], "a zip archive: unpack it first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd: unpack it first"],
  [[0xff, 0xfe], "UTF-16 text: save it as UTF-8"],
  [[0xfe, 0xff], "UTF-16 text: save it as UTF-8"],
];

/** Which catalogue a file is, from its first bytes; else a reason that says what to do. */
export function detectFormat(head: Uint8Array): CatalogueFormat | { reason: string } {
  for (const [bytes, is] of BINARY_STARTS)
    if (bytes.every((byte, at) => head[at] === byte)) return { reason: `The file is ${is}.` };
  const text = new TextDecoder().decode(head).trimStart();
  if (text === "") return { reason: "The file is empty." };
  const firstLine = text.slice(0, text.search(/\r?\n|$/));
  if (firstLine.includes("InstanceType") && firstLine.includes("AcceleratorName")) return "skypilot-csv";
  if (text.startsWith("{") && firstLine.includes('"catalogue_key"')) return "berth-jsonl";
  if (/^(\[|\{\s*"(items|totalCount)")/.test(text)) return "prime-json";
  return {
    reason: `The file's format is not recognised. Name its format: ${catalogueFormats.join(" | ")}.`,
  };
}
