import type { ErrorBody, ValidationIssue } from "../contract/errors";
import type { BodyInput, OperationName, Operations, QueryInput, ResponseOf } from "../contract/operations";
import { endpoints } from "./endpoints";

/** What an operation takes: `params` of its path, `query` and `body` as the contract has them. */
export interface Call<Name extends OperationName> {
  params?: Record<string, string>;
  query?: Loose<QueryInput<Operations[Name]>>;
  body?: BodyInput<Operations[Name]>;
  /** Of an operation that takes a file as its body. */
  file?: Blob;
  /** A repeat under the same key takes effect once. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
}

/** An address holds text alone; numbers and truths are written there as they are. */
type Loose<Query> = Query extends object
  ? { [Key in keyof Query]?: Query[Key] | number | boolean | null | undefined }
  : undefined;

export type AnswerOf<Name extends OperationName> = ResponseOf<Operations[Name]>;

/** An answer other than 200, or none at all. `message` is for people. */
export class ApiError extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  readonly code: ErrorBody["code"] | "invalid" | "unreachable";
  /** Of a 422: which fields, and why. */
  readonly issues: readonly ValidationIssue[];
  /** Of `price_changed`: what the hour costs now. */
  readonly price: number | null;

  constructor(status: number, answer: unknown) {
    const body = isRecord(answer) ? answer : {};
    const issues = Array.isArray(body.detail) ? (body.detail as ValidationIssue[]) : [];
    const sentence = typeof body.detail === "string" ? body.detail : issues[0]?.msg;
    super(sentence ?? (status === 0 ? "The server does not answer." : `The server answered ${status}.`));
    this.name = "ApiError";
    this.status = status;
    this.issues = issues;
    this.code = status === 0 ? "unreachable" : status === 422 ? "invalid" : codeOf(body);
    this.price = typeof body.price === "number" ? body.price : null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function codeOf(body: Record<string, unknown>): ErrorBody["code"] {
  return typeof body.code === "string" ? (body.code as ErrorBody["code"]) : "internal_error";
}

/**
 * Calls an operation of the API as the signed-in browser.
 * @throws ApiError
 */
export async function callOperation<Name extends OperationName>(
  name: Name,
  call: Call<Name> = {},
): Promise<AnswerOf<Name>> {
  const { url, init } = toRequest(name, call);
  const answer = await fetch(url, init).catch((error: unknown) => {
    if (call.signal?.aborted) throw error;
    throw new ApiError(0, null);
  });
  return readAnswer(answer);
}

/** @throws ApiError */
export async function readAnswer<Name extends OperationName>(answer: Response): Promise<AnswerOf<Name>> {
  if (answer.ok) return answer.json();
  throw new ApiError(answer.status, await answer.json().catch(() => null));
}

/** The request that stands for a call; `url` begins at the root of the server. */
export function toRequest<Name extends OperationName>(
  name: Name,
  { params = {}, query, body, file, idempotencyKey, signal }: Call<Name>,
) {
  const { method, path } = endpoints[name];
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (file) headers["content-type"] = "application/octet-stream"; // a browser guesses types that nobody takes
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  const init = {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(file ? { body: file } : {}),
    ...(signal ? { signal } : {}),
  };
  return { url: `${fillPath(path, params)}${toSearch(query)}`, init };
}

function fillPath(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function toSearch(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size > 0 ? `?${search}` : "";
}
