import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { RequestLine } from "../log";
import type { Metrics } from "../metrics";
import { discardBody } from "./discard-body";
import { problemHeaders, problemStatus, problemText, type ServerProblem } from "./problem";
import { settleRequestId } from "./request-id";
import type { ServerLimits } from "./server-limits";

// No status was sent; nginx's number for it is what people know from logs.
const CLIENT_WENT_AWAY = 499;

/** One request with its answer, and what is said about it afterwards. */
export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  requestId: string;
  /** The operation's id or the class of the path; "malformed" until one is known. */
  route: string;
}

/** Opens the exchange: settles its request id, and writes one log line and one sample when it is over. */
export function openExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sinks: { log: Logger; metrics: Metrics },
): Exchange {
  const exchange: Exchange = { incoming, outgoing, requestId: settleRequestId(incoming), route: "malformed" };
  const startedAt = performance.now();
  outgoing.setHeader("X-Request-Id", exchange.requestId);
  outgoing.once("close", () => {
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const line: RequestLine = {
      request_id: exchange.requestId,
      method: incoming.method ?? "",
      route: exchange.route,
      status: outgoing.headersSent ? outgoing.statusCode : CLIENT_WENT_AWAY,
      ms,
      ...(outgoing.writableFinished ? {} : { aborted: true as const }),
    };
    // An agent asks and reports all day: what goes well there is nobody's news.
    const level = exchange.route.startsWith("/agent") && line.status < 400 ? "debug" : "info";
    sinks.log[level](line, "request");
    sinks.metrics.observeRequest({ ...line, seconds: ms / 1000 });
  });
  return exchange;
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
  answerText(
    exchange.outgoing,
    problemStatus(problem),
    problemHeaders(problem),
    problemText(problem, exchange.requestId),
  );
}

/** Writes a short answer at once. */
export function answerText(
  outgoing: ServerResponse,
  status: number,
  headers: Record<string, string>,
  text: string,
): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(text)) });
  outgoing.end(text);
}
