import { type ErrorCode, errorCodes } from "../../contract/errors";
import type { Answer } from "../answers";
import { problemText } from "../problem-text";

/** One refusal: `detail` says what happened and what to do; `headers` are those the status asks for (`allow`, `retry-after`). */
export interface ServerProblem {
  code: ErrorCode;
  detail: string;
  headers?: Record<string, string>;
}

/** A refusal as it is sent: the flat error object of decisions.md ("errors other than 422"); the caller's security headers and request id come to it. */
export function problemAnswer(
  { code, detail, headers }: ServerProblem,
  requestId: string,
): Answer & { body: string } {
  return {
    status: errorCodes[code].status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      ...headers,
    },
    body: problemText(code, detail, requestId),
  };
}

export const INTERNAL_ERROR: ServerProblem = {
  code: "internal_error",
  detail: "Something went wrong on our side. Try again; if it stays, report the request_id.",
};
