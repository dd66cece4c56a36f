import { STATUS_CODES } from "node:http";

/** What the server itself refuses before, or instead of, an operation. */
type ServerProblemCode =
  | "malformed_request"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "payload_too_large"
  | "uri_too_long"
  | "expectation_failed"
  | "header_too_large"
  | "internal_error"
  | "not_ready";

const STATUS: Record<ServerProblemCode, number> = {
  malformed_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  payload_too_large: 413,
  uri_too_long: 414,
  expectation_failed: 417,
  header_too_large: 431,
  internal_error: 500,
  not_ready: 503,
};

/** One refusal: `detail` says what happened and what to do; `headers` are those the status asks for (`allow`, `retry-after`). */
export interface ServerProblem {
  code: ServerProblemCode;
  detail: string;
  headers?: Record<string, string>;
}

/** The HTTP status that goes with a code. */
export function problemStatus(problem: ServerProblem): number {
  return STATUS[problem.code];
}

/** The flat error object of decisions.md ("errors other than 422") as JSON text. */
export function problemText(problem: ServerProblem, requestId: string): string {
  const status = problemStatus(problem);
  return JSON.stringify({
    ok: false,
    detail: problem.detail,
    code: problem.code,
    status,
    title: STATUS_CODES[status] ?? "Error",
    type: `/errors/${problem.code}`,
    request_id: requestId,
  });
}

/** Headers of a problem answer, the caller's security headers and request id not included. */
export function problemHeaders(problem: ServerProblem): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...problem.headers,
  };
}

export const INTERNAL_ERROR: ServerProblem = {
  code: "internal_error",
  detail: "Something went wrong on our side. Try again; if it stays, report the request_id.",
};
