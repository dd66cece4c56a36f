import { isPlainText } from "./text-input";

const DEEPEST = 16;

/** Parses JSON that may be hostile; a reason in words where it cannot be parsed or stored. */
export function parseJson(text: string): { value: unknown } | { reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: "this is not valid JSON" };
  }
  const reason = whyUnstorable(value, 0);
  return reason === null ? { value } : { reason };
}

function whyUnstorable(value: unknown, depth: number): string | null {
  if (depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep`;
  if (typeof value === "string") return whyUnstorableText(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? null : "it has a number that is too large to be held";
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const reason = whyUnstorableText(key) ?? whyUnstorable(inner, depth + 1);
    if (reason !== null) return reason;
  }
  return null;
}

function whyUnstorableText(text: string): string | null {
  // Line breaks and tabs are fine in free text; what PostgreSQL cannot hold is not.
  return isPlainText(text.replace(/[\n\r\t]/g, " "), Number.MAX_SAFE_INTEGER)
    ? null
    : "it has a control character or half a surrogate pair in a text";
}
