import { LRUCache } from "lru-cache";
import type { z } from "zod";
import type { Operation } from "../contract/operation";
import { parseJsonBody } from "./read-body";

type Parsed = ReturnType<z.ZodObject["safeParse"]>;

const KEPT = 1_000;
/** A longer body costs more memory than it saves time. */
const KEPT_BYTES = 2_048;

/**
 * What checks the bodies of an operation. Where the same ones come again and again, a good one is parsed once and kept, frozen: the schema of a
 * search costs more than the search.
 * @returns throws a ValidationError for what is no JSON object
 */
export function makeBodyParser(
  schema: z.ZodObject,
  { emptyBody = false, sameBodies = false }: Pick<Operation, "emptyBody" | "sameBodies">,
): (bytes: Uint8Array) => Parsed {
  const parse = (bytes: Uint8Array) => schema.safeParse(parseJsonBody(bytes, emptyBody));
  if (!sameBodies) return parse;
  const kept = new LRUCache<string, Parsed>({ max: KEPT });
  return (bytes) => {
    if (bytes.length > KEPT_BYTES) return parse(bytes);
    // One letter a byte: no two bodies are one text.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const known = kept.get(text);
    if (known) return known;
    const parsed = parse(bytes);
    if (parsed.success) kept.set(text, freeze(parsed));
    return parsed;
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
