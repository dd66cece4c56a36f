import type { ErrorBody, ValidationIssue } from "../contract/errors";
import type { BodyInput, OperationName, Operations, QueryInput, ResponseOf } from "../contract/operations";
import { endpoints } from "./endpoints";

/** What an operation takes: `params` of its path, `query` and `body` as the contract has them. */
export interface Call<Name extends OperationName> extends AnyCall {
  query?: Queries[Name];
  body?: Bodies[Name];
}

export type AnswerOf<Name extends OperationName> = Answers[Name];

/** The call of some operation, as it is sent. */
export interface AnyCall {
  params?: Record<string, string>;
  query?: object | undefined;
  body?: unknown;
  /** A body that is no JSON, such as an uploaded catalogue. */
  file?: Blob;
  /** A repeat under the same key takes effect once. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
}

// One table each: the compiler then looks a name up, instead of working out the type of all operations at each call.
type Answers = { [Name in OperationName]: ResponseOf<Operations[Name]> };
type Bodies = { [Name in OperationName]: BodyInput<Operations[Name]> };
type Queries = { [Name in OperationName]: Loose<QueryInput<Operations[Name]>> };

/** An address holds text alone; numbers and truths are written there as they are. */
type Loose<Query> = Query extends object
  ? { [Key in keyof Query]?: Query[Key] | number | boolean | null | undefined }
  : undefined;

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
  return send(name, call);
}

/** The same where the type of the call is no matter. */
export async function send(name: OperationName, call: AnyCall) {
  const { url, init } = toRequest(name, call);
  const answer = await fetch(url, init).catch((error: unknown) => {
    if (call.signal?.aborted) throw error;
    throw new ApiError(0, null);
  });
  return readAnswer(answer);
}

/**
 * The answer as the contract has it.
 * @throws ApiError
 */
export async function readAnswer(answer: Response) {
  if (answer.ok) return answer.json();
  throw new ApiError(answer.status, await answer.json().catch(() => null));
}

/** The request that stands for a call; `url` begins at the root of the server. */
export function toRequest(
  name: OperationName,
  { params = {}, query, body, file, idempotencyKey, signal }: AnyCall,
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
