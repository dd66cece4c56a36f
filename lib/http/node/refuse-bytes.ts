import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import type { Answer } from "../answers";
import type { Metrics } from "../metrics";
import type { Connections } from "./connections";
import { endAll } from "./exchange";
import { problemAnswer, type ServerProblem } from "./problem";
import { type RawAnswer, writeRawAnswer } from "./raw-answer";
import { makeRequestId } from "./request-id";
import { malformedTarget, parseTarget, targetTooLong } from "./request-target";
import type { AnswerKind } from "./security-headers";
import type { ServerLimits } from "./server-limits";

/** What refusing needs to know of the server it refuses for. */
export interface RefusalContext {
  connections: Connections;
  limits: ServerLimits;
  securityHeaders: (kind: AnswerKind) => Record<string, string>;
  log: Logger;
  metrics: Metrics;
  /** The answer under /v0 for a method that no operation has: 405 with `Allow`, or 404. */
  answerUnknownMethod?: ((target: string, requestId: string) => Promise<Answer>) | undefined;
}

type ParserError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number };

const METHOD_LINE = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64} (\S+) HTTP\/1\.[01]\r?\n/;

/** Answers, in the error shape, bytes that Node's parser gives up on, requests that came too slowly, and CONNECT. */
export function refuseBytes(server: Server, context: RefusalContext): void {
  const refused = new WeakSet<Duplex>();
  server.on("clientError", (error: ParserError, socket) => {
    // Every further chunk on a refused connection comes back here.
    if (refused.has(socket)) return;
    refused.add(socket);
    endAll(); // what is answered goes out before what is refused
    const running = context.connections.running(socket);
    if (error.code === "ECONNRESET" || !socket.writable || running?.headersSent) {
      socket.destroy();
      return;
    }
    const target = running ? null : unknownMethodTarget(error);
    if (target !== null) void refuseMethod(socket, target, context);
    // A handler that still reads this body must learn of its end, so its connection does not linger.
    else refuse(socket, describeParserError(error, context.limits), context, running ? 0 : undefined);
  });
  server.on("connect", (incoming: IncomingMessage, socket: Duplex) => {
    void refuseMethod(socket, incoming.url ?? "", context);
  });
}

// The parser gave up inside the first word, so the packet begins with the request line.
function unknownMethodTarget(error: ParserError): string | null {
  if (error.code !== "HPE_INVALID_METHOD") return null;
  return METHOD_LINE.exec(firstBytes(error))?.[1] ?? null;
}

function describeParserError(error: ParserError, limits: ServerLimits): ServerProblem {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return describeOverflow(error, limits);
    case "HPE_INVALID_URL":
      return malformedTarget();
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { code: "payload_too_large", detail: "The extensions of this request's chunks are too large." };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return {
        code: "request_timeout",
        detail: `The request did not arrive in time: its headers within ${limits.headersTimeoutMs / 1000} s, all of it within ${limits.requestTimeoutMs / 1000} s. Send it again.`,
      };
    default:
      return { code: "bad_request", detail: "These bytes are not an HTTP/1.1 request." };
  }
}

function describeOverflow(error: ParserError, limits: ServerLimits): ServerProblem {
  const line = firstBytes(error).split("\n", 1)[0] ?? "";
  if (/^[A-Z]+ \S+/.test(line) && line.length > limits.urlBytes) return targetTooLong(limits.urlBytes);
  return {
    code: "headers_too_large",
    detail: `The headers of this request are larger than ${limits.headerBytes} bytes together. Send fewer or shorter ones.`,
  };
}

function firstBytes(error: ParserError): string {
  return error.rawPacket?.toString("latin1") ?? "";
}

async function refuseMethod(socket: Duplex, rawTarget: string, context: RefusalContext): Promise<void> {
  const parsed = parseTarget(rawTarget, undefined, context.limits.urlBytes);
  const requestId = makeRequestId();
  if (!("problem" in parsed) && parsed.route === "v0" && context.answerUnknownMethod) {
    try {
      const { status, headers, body } = await context.answerUnknownMethod(parsed.target, requestId);
      send(socket, { status, headers, body: String(body ?? "") }, requestId, context);
      return;
    } catch (error) {
      context.log.error({ err: error, request_id: requestId }, "request failed");
    }
  }
  const problem: ServerProblem = {
    code: "method_not_allowed",
    detail: "Nothing here has this method.",
    headers: { allow: "GET, HEAD" },
  };
  refuse(socket, problem, context);
}

function refuse(socket: Duplex, problem: ServerProblem, context: RefusalContext, lingerMs?: number): void {
  const requestId = makeRequestId();
  send(socket, problemAnswer(problem, requestId), requestId, context, lingerMs);
}

function send(
  socket: Duplex,
  answer: RawAnswer,
  requestId: string,
  context: RefusalContext,
  lingerMs = context.limits.discardTimeoutMs,
): void {
  const headers = new Headers({ ...context.securityHeaders("api"), "X-Request-Id": requestId });
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value);
  writeRawAnswer(socket, { ...answer, headers: Object.fromEntries(headers) }, lingerMs);
  const line = { request_id: requestId, method: "", route: "malformed", status: answer.status, ms: 0 };
  context.log.info(line, "request");
  context.metrics.observeRequest({ ...line, seconds: 0 });
}
