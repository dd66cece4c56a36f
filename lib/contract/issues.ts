import type { z } from "zod";
import { FIELD_REQUIRED } from "./common";
import type { ValidationDetail, ValidationIssue } from "./errors";

/** Where in a request a value was; the first element of every `loc`. */
export type InputPlace = "body" | "query" | "path" | "header";

type Issue = z.core.$ZodIssue;
type Verdict = { msg: string; type: string };

/** A hostile list can have 100,000 bad elements; nobody reads more than these. */
const MAX_ISSUES = 100;

/** The 422 of a body that is not JSON. */
export const invalidJson: ValidationDetail = {
  detail: [{ loc: ["body"], msg: "The body is not valid JSON", type: "json_invalid" }],
};

/**
 * The `detail` of a 422 for what zod refused, in the order of the schema's fields. It names known fields only and
 * repeats neither values nor keys that the client chose.
 */
export function toDetail(error: z.ZodError, place: InputPlace): ValidationIssue[] {
  return error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    loc: [place, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))],
    ...explain(issue),
  }));
}

function explain(issue: Issue): Verdict {
  switch (issue.code) {
    case "invalid_type":
      return explainType(issue);
    case "too_small":
    case "too_big":
      return explainSize(issue);
    case "invalid_value":
      if (issue.message === FIELD_REQUIRED) return { msg: FIELD_REQUIRED, type: "missing" };
      return { msg: `Must be ${issue.values.map(String).join(" or ")}`, type: "enum" };
    case "custom":
      return { msg: issue.message, type: customType(issue) };
    default:
      return { msg: "Is not valid", type: "value_error" };
  }
}

const typeVerdicts: Record<string, Verdict> = {
  string: { msg: "Must be a string", type: "string_type" },
  number: { msg: "Must be a number", type: "float_type" },
  int: { msg: "Must be a whole number", type: "int_type" },
  boolean: { msg: "Must be true or false", type: "bool_type" },
  array: { msg: "Must be a list", type: "list_type" },
  object: { msg: "Must be an object", type: "dict_type" },
};

function explainType(issue: Extract<Issue, { code: "invalid_type" }>): Verdict {
  if (issue.message === FIELD_REQUIRED) return { msg: FIELD_REQUIRED, type: "missing" };
  if ("received" in issue) return { msg: "Must be a finite number", type: "finite_number" };
  return typeVerdicts[issue.expected] ?? { msg: "Has the wrong type", type: "type_error" };
}

function explainSize(issue: Extract<Issue, { code: "too_small" | "too_big" }>): Verdict {
  const small = issue.code === "too_small";
  const bound = small ? issue.minimum : issue.maximum;
  if (issue.origin === "string") {
    const msg = `Must have at ${small ? "least" : "most"} ${bound} ${bound === 1 ? "character" : "characters"}`;
    return { msg, type: small ? "string_too_short" : "string_too_long" };
  }
  if (issue.origin === "array") {
    const msg = `Must have at ${small ? "least" : "most"} ${bound} elements`;
    return { msg, type: small ? "too_short" : "too_long" };
  }
  if (small) {
    return issue.inclusive
      ? { msg: `Must be ${bound} or more`, type: "greater_than_equal" }
      : { msg: `Must be more than ${bound}`, type: "greater_than" };
  }
  return issue.inclusive
    ? { msg: `Must be ${bound} or less`, type: "less_than_equal" }
    : { msg: `Must be less than ${bound}`, type: "less_than" };
}

function customType(issue: Extract<Issue, { code: "custom" }>): string {
  const type: unknown = issue.params?.type;
  return typeof type === "string" ? type : "value_error";
}
