import { type ErrorCode, errorCodes } from "../../contract/errors";
import { problemText as textOf } from "../problem-text";

/** One refusal: `detail` says what happened and what to do; `headers` are those the status asks for (`allow`, `retry-after`). */
export interface ServerProblem {
  code: ErrorCode;
  detail: string;
  headers?: Record<string, string>;
}

/** The HTTP status that goes with a code. */
export function problemStatus(problem: ServerProblem): number {
  return errorCodes[problem.code].status;
}

/** The flat error object of decisions.md ("errors other than 422") as JSON text. */
export function problemText(problem: ServerProblem, requestId: string): string {
  return textOf(problem.code, problem.detail, requestId);
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
