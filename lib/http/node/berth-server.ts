import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Logger } from "pino";
import type { Answer } from "../answers";
import type { Metrics } from "../metrics";
import { trackConnections } from "./connections";
import {
  answerProblem,
  answerWhole,
  closeExchange,
  type Exchange,
  openExchange,
  sendAnswer,
  settleBody,
} from "./exchange";
import { type ListenAddress, listenOn } from "./listen";
import { INTERNAL_ERROR, problemAnswer, type ServerProblem } from "./problem";
import { boundReadiness, type Readiness } from "./readiness";
import { refuseBytes } from "./refuse-bytes";
import { judgeRequest } from "./request-rules";
import { parseTarget, type RouteClass } from "./request-target";
import { makeSecurityHeaders } from "./security-headers";
import { DEFAULT_LIMITS, type ServerLimits } from "./server-limits";

/** Who asks. `dispatch` writes the id of the operation it matched into `operation`, for the log and the metrics. */
export interface Peer {
  /** The socket's own peer, IPv4 without its IPv6 wrapping. */
  address: string;
  operation?: string;
  /** Aborted when the server begins to stop: answers without an end end then. */
  stopping?: AbortSignal | undefined;
}

export interface BerthServerOptions {
  /** Answers everything under /v0/ and /agent/, 404 and 405 included. Absent: nothing is there (a worker node). */
  dispatch?: ((request: Request, peer: Peer) => Promise<Answer>) | undefined;
  /** Answers pages and sign-in: Next's request handler. Absent: nothing is there. */
  pages?: ((incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>) | undefined;
  /** Whether database and migrations are good; may hang or reject. */
  checkReady: () => Promise<Readiness>;
  log: Logger;
  metrics: Metrics;
  limits?: Partial<ServerLimits> | undefined;
  publicUrl?: string | undefined;
  /** Takes every upgrade (Next's reloading while pages are edited). Absent: unknown upgrades are refused. */
  upgrade?: ((incoming: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
  /** A page policy that lets Next reload pages while they are edited. */
  dev?: boolean | undefined;
}

export interface BerthServer {
  server: Server;
  listen(address: ListenAddress): Promise<ListenAddress>;
  /** Stops accepting and waits for running answers, `drainTimeoutMs` at most; `force` ends the wait. */
  drain(force?: AbortSignal): Promise<void>;
}

/**
 * Our entry around Next: limits, time-outs, refusals in the error shape, security headers, request ids, one log line
 * a request. Requests under /v0 become standard `Request`s for `dispatch` and never pass through Next.
 */
export function createBerthServer(options: BerthServerOptions): BerthServer {
  const limits: ServerLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const { log, metrics, dispatch } = options;
  const securityHeaders = makeSecurityHeaders(options);
  const apiHeaders = Object.entries(securityHeaders("api")).flat();
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    // Node's own answers to these have no body; ours have the error shape.
    requireHostHeader: false,
  });
  const connections = trackConnections(server);
  const readiness = boundReadiness(options.checkReady, limits.readyTimeoutMs);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // every answer without an end listens
  const listener = dispatch && listenWith(dispatch, limits, log);
  const serve = { ...options, limits, stopping: stopping.signal, readiness, listener };

  function open(incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
    connections.begin(incoming, outgoing);
    const exchange = openExchange(incoming, outgoing, apiHeaders);
    outgoing.once("close", () => {
      connections.end(incoming, outgoing);
      closeExchange(exchange, { log, metrics });
    });
    return exchange;
  }

  server.on("request", (incoming, outgoing) => {
    const exchange = open(incoming, outgoing);
    answer(exchange, serve, () => {
      const nonce = randomBytes(16).toString("base64");
      const headers = securityHeaders("page", nonce);
      outgoing.setHeader("X-Request-Id", exchange.requestId);
      for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
      // Next takes the nonce of its scripts from the policy of the request, where no client may have put one.
      incoming.headers["content-security-policy"] = headers["Content-Security-Policy"];
      incoming.headers["x-nonce"] = nonce;
    }).catch((error: unknown) => {
      log.error({ err: error, request_id: exchange.requestId }, "request failed");
      answerNow(exchange, INTERNAL_ERROR);
    });
  });
  if (options.upgrade) server.on("upgrade", options.upgrade);
  server.on("checkExpectation", (incoming, outgoing) => {
    const detail = "Only `Expect: 100-continue` is understood here. Leave the header out.";
    void answerProblem(open(incoming, outgoing), { code: "expectation_failed", detail }, limits);
  });
  refuseBytes(server, {
    connections,
    limits,
    securityHeaders,
    log,
    metrics,
    answerUnknownMethod:
      dispatch &&
      ((target, requestId) =>
        dispatch(
          new Request(`http://localhost${target}`, {
            method: "UNKNOWN",
            headers: { "x-request-id": requestId },
          }),
          { address: "" },
        )),
  });

  return {
    server,
    listen: (address) => listenOn(server, address),
    async drain(force) {
      const drained = connections.drain(limits.drainTimeoutMs, force);
      stopping.abort();
      await drained;
    },
  };
}

type Serve = Omit<BerthServerOptions, "limits"> & {
  limits: ServerLimits;
  listener: ReturnType<typeof listenWith> | undefined;
  stopping: AbortSignal;
  readiness: () => Promise<Readiness>;
};

async function answer(exchange: Exchange, serve: Serve, asPage: () => void): Promise<void> {
  const { incoming, outgoing } = exchange;
  const { limits, listener } = serve;
  const parsed = parseTarget(incoming.url ?? "", incoming.headers.host, limits.urlBytes);
  if ("problem" in parsed) return answerProblem(exchange, parsed.problem, limits);
  incoming.url = parsed.target;
  exchange.route = parsed.route;
  const problem = judgeRequest(incoming, parsed.route, limits);
  if (problem) return answerProblem(exchange, problem, limits);
  if (parsed.route === "healthz") return answerJson(exchange, { ok: true });
  if (parsed.route === "readyz") return answerReadyz(exchange, serve);
  const isDispatched = /^\/(?:v0|agent)\//.test(parsed.target);
  if (isDispatched && listener) return listener(exchange, serve.stopping);
  if (parsed.route === "v0" || isDispatched || !serve.pages)
    return answerProblem(exchange, nothingHere(parsed.route), limits);
  asPage();
  await serve.pages(incoming, outgoing);
}

function nothingHere(route: RouteClass): ServerProblem {
  const hint =
    route === "v0" ? "The operations are listed in /v0/openapi.json." : "This node serves no pages.";
  return { code: "not_found", detail: `Nothing is at this address. ${hint}` };
}

function answerJson(exchange: Exchange, body: object): void {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  answerWhole(exchange, { status: 200, headers, body: JSON.stringify(body) });
}

async function answerReadyz(exchange: Exchange, { limits, readiness, stopping }: Serve): Promise<void> {
  const result = stopping.aborted
    ? { ready: false as const, reason: "This node is stopping." }
    : await readiness();
  if (result.ready) return answerJson(exchange, { ok: true });
  const problem: ServerProblem = {
    code: "unavailable",
    detail: `${result.reason} Send requests to another node, or try again shortly.`,
    headers: { "retry-after": "5" },
  };
  return answerProblem(exchange, problem, limits);
}

// The adapter hands on what it was given, and nothing else.
const EXCHANGE = Symbol("exchange");
type WithExchange = IncomingMessage & { [EXCHANGE]: { exchange: Exchange; peer: Peer } };

/** What answers by `dispatch`: the adapter makes the standard Request of it, and we send the answer ourselves. */
function listenWith(
  dispatch: NonNullable<BerthServerOptions["dispatch"]>,
  limits: ServerLimits,
  log: Logger,
): (exchange: Exchange, stopping: AbortSignal) => Promise<void> {
  const listener = getRequestListener(
    async (request, { incoming }) => {
      const { exchange, peer } = (incoming as WithExchange)[EXCHANGE];
      const answer = await dispatch(request, peer).catch((error: unknown): Answer => {
        if (!exchange.incoming.errored) {
          log.error({ err: error, request_id: exchange.requestId }, "request failed");
        }
        return problemAnswer(INTERNAL_ERROR, exchange.requestId);
      });
      exchange.route = peer.operation ?? exchange.route;
      try {
        await settleBody(exchange, limits);
        await sendAnswer(exchange, answer, log);
      } catch (error) {
        // The adapter would show it to the client.
        log.error({ err: error, request_id: exchange.requestId }, "request failed");
        answerNow(exchange, INTERNAL_ERROR);
      }
      return RESPONSE_ALREADY_SENT;
    },
    {
      // Next brings its own idea of the global classes.
      overrideGlobalObjects: false,
      hostname: "localhost",
      errorHandler(error) {
        throw error;
      },
    },
  );
  return async (exchange, stopping) => {
    const { incoming, outgoing } = exchange;
    const address = incoming.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "";
    (incoming as WithExchange)[EXCHANGE] = { exchange, peer: { address, stopping } };
    try {
      await listener(incoming, outgoing);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      await answerProblem(exchange, malformedRequest(), limits);
    }
  };
}

function malformedRequest(): ServerProblem {
  return {
    code: "bad_request",
    detail: "The Host header or the address of this request is malformed.",
  };
}

function answerNow(exchange: Exchange, problem: ServerProblem): void {
  answerWhole(exchange, problemAnswer(problem, exchange.requestId));
}
