import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { Answer } from "../answers";
import type { RequestLine } from "../log";
import type { Metrics } from "../metrics";
import { discardBody } from "./discard-body";
import { problemAnswer, type ServerProblem } from "./problem";
import { settleRequestId } from "./request-id";
import type { ServerLimits } from "./server-limits";

// No status was sent; nginx's number for it is what people know from logs.
const CLIENT_WENT_AWAY = 499;

/** One request with its answer, and what is said about it afterwards. */
export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  requestId: string;
  /** Of every answer that is no page: names and values in turn, as Node takes them fastest. */
  headers: readonly string[];
  /** The operation's id or the class of the path; "malformed" until one is known. */
  route: string;
  startedAt: number;
}

/** Opens the exchange and settles its request id. */
export function openExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: readonly string[],
): Exchange {
  const requestId = settleRequestId(incoming);
  return { incoming, outgoing, requestId, headers, route: "malformed", startedAt: performance.now() };
}

/** To be called when it is over: writes one log line and one sample. */
export function closeExchange(exchange: Exchange, sinks: { log: Logger; metrics: Metrics }): void {
  const { incoming, outgoing, requestId, route, startedAt } = exchange;
  const ms = Math.round((performance.now() - startedAt) * 10) / 10;
  const line: RequestLine = {
    request_id: requestId,
    method: incoming.method ?? "",
    route,
    status: outgoing.headersSent ? outgoing.statusCode : CLIENT_WENT_AWAY,
    ms,
  };
  if (!outgoing.writableFinished) line.aborted = true;
  // An agent asks and reports all day: what goes well there is nobody's news.
  const level = route.startsWith("/agent") && line.status < 400 ? "debug" : "info";
  sinks.log[level](line, "request");
  sinks.metrics.observeRequest({ method: line.method, route, status: line.status, seconds: ms / 1000 });
}

/** Throws the unread rest of the request away; a client that still sends after that is cut off behind its answer. */
export async function settleBody(exchange: Exchange, limits: ServerLimits): Promise<void> {
  const bounds = { bytes: limits.discardBytes, timeoutMs: limits.discardTimeoutMs };
  const whole = await discardBody(exchange.incoming, bounds);
  if (!whole && !exchange.outgoing.headersSent) exchange.outgoing.setHeader("Connection", "close");
}

/** Answers with a problem, behind the unread rest of the request. */
export async function answerProblem(
  exchange: Exchange,
  problem: ServerProblem,
  limits: ServerLimits,
): Promise<void> {
  await settleBody(exchange, limits);
  answerWhole(exchange, problemAnswer(problem, exchange.requestId));
}

/** An answer that is no stream. */
type WholeAnswer = Answer & { body: string | Uint8Array };

/** Writes an answer at once. */
export function answerWhole(exchange: Exchange, { status, headers, body }: WholeAnswer): void {
  const { outgoing } = exchange;
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return;
  }
  const length = String(Buffer.byteLength(body));
  outgoing.writeHead(status, listHeaders(exchange, headers, "content-length", length));
  endSoon(outgoing, body);
}

/** Sends what a handler answered; a stream as it comes, until it ends or its reader is gone. */
export async function sendAnswer(
  exchange: Exchange,
  { status, headers, body }: Answer,
  log: Logger,
): Promise<void> {
  if (typeof body === "string" || body instanceof Uint8Array)
    return answerWhole(exchange, { status, headers, body });
  const { outgoing } = exchange;
  if (outgoing.destroyed) return body?.cancel();
  outgoing.writeHead(status, listHeaders(exchange, headers));
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const chunks = Readable.fromWeb(body as import("node:stream/web").ReadableStream);
  await pipeline(chunks, outgoing).catch((error: unknown) => {
    // Who goes away in the middle of a stream is nobody's fault.
    if (outgoing.errored === error || exchange.incoming.destroyed) return;
    log.error({ err: error, request_id: exchange.requestId }, "an answer broke off");
  });
}

function listHeaders(exchange: Exchange, headers: Record<string, string>, ...more: string[]): string[] {
  const list = [...exchange.headers, "x-request-id", exchange.requestId, ...more];
  for (const name in headers) {
    if (name !== "x-request-id") list.push(name, headers[name] as string);
  }
  return list;
}

let ending: { outgoing: ServerResponse; body: string | Uint8Array }[] = [];

/** Answers of one turn of the event loop go out together: to wake who waits for them once costs less than each time. */
function endSoon(outgoing: ServerResponse, body: string | Uint8Array): void {
  if (ending.length === 0) setImmediate(endAll);
  ending.push({ outgoing, body });
}

/** Sends what waits for the end of this turn. */
export function endAll(): void {
  const all = ending;
  ending = [];
  // One that is gone by now would fail where nobody catches it.
  for (const { outgoing, body } of all) if (!outgoing.destroyed) outgoing.end(body);
}
