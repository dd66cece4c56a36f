import { z } from "zod";
import type { InputSchema } from "@/lib/contract/operation";

type Json = z.core.JSONSchema.BaseSchema;

/** One field that a request may carry. */
export interface Field {
  /** `query.vram_gt` for one within another. */
  name: string;
  /** In words: `text`, `one of: USD, RUB, QOIN`. */
  type: string;
  required: boolean;
  description: string;
}

/** What a schema of requests takes, field by field, those of inner objects after their own. */
export function fieldsOf(schema: InputSchema): Field[] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const resolve = (node: Json): Json => {
    const named = node.$ref?.split("/").at(-1);
    return named ? (json.$defs?.[named] ?? node) : node;
  };
  const list = (node: Json, prefix: string): Field[] =>
    Object.entries(node.properties ?? {}).flatMap(([key, value]) => {
      if (typeof value === "boolean") return [];
      const inner = withoutNull(resolve(value));
      const field = {
        name: prefix + key,
        type: inner.properties ? "object" : typeInWords(inner),
        required: node.required?.includes(key) ?? false,
        description: value.description ?? inner.description ?? "",
      };
      return [field, ...list(inner, `${prefix}${key}.`)];
    });
  return list(resolve(json), "");
}

/** In a request null means absent, so it is not worth a word in every line. */
function withoutNull(node: Json): Json {
  const other = node.anyOf?.find((one) => one.type !== "null");
  return other ?? node;
}

const WORDS: Record<string, string> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  array: "list",
  object: "object",
};

function typeInWords(node: Json): string {
  if (node.enum) return `one of: ${node.enum.join(", ")}`;
  const types = Array.isArray(node.type) ? node.type : [node.type ?? "any"];
  return types
    .filter((type) => type !== "null")
    .map((type) => WORDS[type] ?? type)
    .join(" or ");
}
