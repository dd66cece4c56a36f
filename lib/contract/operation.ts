import type { z } from "zod";
import type { ErrorCode } from "./errors";
import type { Scope } from "./words";

export const tags = {
  System: "Is the server there, and is the key good?",
  Market: "Offers, GPUs and providers.",
  Templates: "A container image with its launch settings.",
  Instances: "Rented servers and what one does with them.",
  Secrets: "SSH public keys that instances let in.",
  Hosts: "Alpha. One's own machines on the market.",
  Account: "One's own account and its API keys.",
  Billing: "What one has, owes and earns, and what happened to one's own things.",
  Operator: "The whole market, for accounts with the role `operator`.",
} as const;
export type Tag = keyof typeof tags;

export type Method = "GET" | "POST" | "PUT" | "DELETE";
/** What some operations answer instead of JSON where `Accept` prefers it. */
export type AlternativeType = "text/csv" | "text/event-stream";

export type InputSchema = z.ZodObject | z.ZodPipe;

export type Operation = {
  id: string;
  method: Method;
  path: `/v0/${string}`;
  tag: Tag;
  summary: string;
  description?: string;
  /** What a key must be allowed; null: any valid key. */
  scope: Scope | null;
  /** Only accounts with this role may call it. */
  role?: "operator";
  /** Only the person, signed in with a browser; no key, whatever its scopes. */
  sessionOnly?: boolean;
  params?: z.ZodObject;
  query?: InputSchema;
  body?: z.ZodObject;
  /** The body is a file that is taken as it is: of which types (none counts as any of them), and of how many bytes at most. */
  upload?: { types: readonly string[]; largest: number };
  /** A body of zero bytes counts as `{}`; elsewhere it is no JSON, a 422. */
  emptyBody?: boolean;
  /** The same bodies come again and again: what one means is kept for the next. */
  sameBodies?: boolean;
  /** The whole answer, envelope included. */
  response: z.ZodObject;
  /** Members of the answer's `data` that are shown once: null where an Idempotency-Key repeats the answer. */
  secretFields?: readonly string[];
  alternatives?: readonly AlternativeType[];
  /** What this operation can answer of its own, besides 422 and what `errorsOf` adds. */
  errors: readonly ErrorCode[];
  example: { params?: unknown; query?: unknown; request?: unknown; response: unknown };
};

export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Every error code but 422 that an operation can answer: its own, and those of what it takes. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ["invalid_api_key", "account_suspended", "forbidden_origin"];
  if (operation.scope !== null) codes.push("scope_missing");
  if (operation.role) codes.push("operator_only");
  if (operation.sessionOnly) codes.push("session_required");
  if (operation.method !== "GET") codes.push("action_in_progress");
  if (operation.body || operation.upload) codes.push("payload_too_large", "unsupported_media_type");
  codes.push(...operation.errors, "too_many_requests", "internal_error", "unavailable");
  return [...new Set(codes)];
}
