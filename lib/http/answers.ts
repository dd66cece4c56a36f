import { type ErrorCode, errorCodes } from "../contract/errors";
import { isDatabaseUnavailable } from "../db/unavailable";
import { env } from "../env";
import { DomainError, ValidationError } from "../kernel/errors";
import { makeLog } from "./log";
import { problemText } from "./problem-text";

let madeLog: ReturnType<typeof makeLog> | undefined;

function log() {
  madeLog ??= makeLog(env().LOG_LEVEL);
  return madeLog;
}

/**
 * An answer before it is sent: a standard Response costs as much to make and to read as all else of a small request, so one is
 * made only where Next asks for it.
 */
export interface Answer {
  status: number;
  /** Names in small letters. */
  headers: Record<string, string>;
  body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body as BodyInit | null, { status, headers });
}

/** A JSON answer. Everything under /v0 is one person's or changes by the minute, so nothing is stored. */
export function jsonAnswer(
  status: number,
  body: string | Uint8Array,
  requestId: string,
  headers: Record<string, string> = {},
): Answer {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...headers,
    },
    body,
  };
}

/** An answer of another type than JSON, whole or as it comes. */
export function streamAnswer(
  body: string | ReadableStream<Uint8Array>,
  type: string,
  requestId: string,
): Answer {
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      vary: "accept",
      // A proxy that collects an answer before it passes it on would hold a stream back for ever.
      "x-accel-buffering": "no",
      "x-request-id": requestId,
    },
    body,
  };
}

/** The answer of every error but 422. */
export function problemAnswer(
  code: ErrorCode,
  detail: string,
  requestId: string,
  options: { headers?: Record<string, string>; extra?: DomainError["extra"] } = {},
): Answer {
  const text = problemText(code, detail, requestId, options.extra);
  return jsonAnswer(errorCodes[code].status, text, requestId, { ...headersOf(code), ...options.headers });
}

function headersOf(code: ErrorCode): Record<string, string> {
  if (code === "invalid_api_key") return { "www-authenticate": 'ApiKey realm="berth", header="X-Api-Key"' };
  if (code === "too_many_requests") return { "retry-after": "1" };
  if (code === "unavailable") return { "retry-after": "2" };
  return {};
}

/** The answer to whatever a handler threw. What is not ours to explain becomes a fixed text, and a line in the log. */
export function failureAnswer(error: unknown, requestId: string): Answer {
  if (error instanceof ValidationError) {
    return jsonAnswer(422, JSON.stringify({ detail: error.issues }), requestId);
  }
  if (error instanceof DomainError) {
    return problemAnswer(error.code, error.message, requestId, { extra: error.extra });
  }
  if (isDatabaseUnavailable(error)) {
    log().warn({ err: error, request_id: requestId }, "the database does not answer");
    return problemAnswer(
      "unavailable",
      "The database does not answer just now, or is too busy. Try again shortly.",
      requestId,
    );
  }
  log().error({ err: error, request_id: requestId }, "request failed");
  return problemAnswer(
    "internal_error",
    "Something went wrong on our side. Try again; if it stays, tell the operator the request_id.",
    requestId,
  );
}
