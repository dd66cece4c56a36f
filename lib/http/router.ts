import { operations } from "../contract/operations";
import { agentModules } from "./agent-modules";
import { problemAnswer } from "./answers";
import { type Peer, rememberPeer } from "./peer";
import { requestIdOf } from "./request-id";
import { routeModules } from "./route-modules";

interface Match {
  path: string;
  params: Record<string, string>;
}

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

const operationIds = new Map<string, string>(
  Object.values(operations).map(({ method, path, id }) => [`${method} ${path}`, id]),
);

const modules = { ...routeModules, ...agentModules };

/** Fixed segments before parameters, so that /v0/templates/create is never a template's id. */
const paths = Object.keys(modules)
  .map((path) => ({ path, segments: path.split("/") }))
  .sort((a, b) => countParameters(a.path) - countParameters(b.path));

function countParameters(path: string): number {
  return path.split("{").length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function matchPath(pathname: string): Match | null {
  const given = pathname.split("/");
  for (const { path, segments } of paths) {
    if (segments.length !== given.length) continue;
    if (!segments.every((segment, i) => isParameter(segment) || segment === given[i])) continue;
    const params = readParameters(segments, given);
    if (params) return { path, params };
  }
  return null;
}

/** @returns null for an empty or undecodable segment, which names nothing */
function readParameters(segments: string[], given: string[]): Record<string, string> | null {
  const entries: [string, string][] = [];
  for (const [i, segment] of segments.entries()) {
    if (!isParameter(segment)) continue;
    try {
      entries.push([segment.slice(1, -1), decodeURIComponent(given[i] ?? "")]);
    } catch {
      return null;
    }
    if (!given[i]) return null;
  }
  return Object.fromEntries(entries);
}

/** Loads every handler, so that the first requests do not wait for it. */
export async function loadRoutes(): Promise<void> {
  await Promise.all(Object.values(modules).map((load) => load()));
}

/**
 * Answers a request under /v0 or /agent by the very handlers that Next would call, without Next in between.
 * Unknown paths are a 404, and other methods than a path's own a 405 with `Allow`.
 */
export async function dispatch(request: Request, peer: Peer): Promise<Response> {
  const requestId = requestIdOf(request);
  const match = matchPath(new URL(request.url).pathname);
  const module = await (match && modules[match.path]?.());
  if (!match || !module) {
    const detail = "Nothing is at this address. The operations are listed in /v0/openapi.json.";
    return problemAnswer("not_found", detail, requestId);
  }
  const own = METHODS.filter((name) => name in module);
  const method = own.find((name) => name === (request.method === "HEAD" ? "GET" : request.method));
  const handler = method && module[method];
  if (!handler) {
    const allow = own.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
    return problemAnswer("method_not_allowed", `This address takes ${allow}.`, requestId, {
      headers: { allow },
    });
  }
  peer.operation = operationIds.get(`${method} ${match.path}`) ?? match.path;
  rememberPeer(request, peer);
  const answer = await handler(request, { params: Promise.resolve(match.params) });
  if (!answer.headers.has("x-request-id")) answer.headers.set("x-request-id", requestId);
  if (request.method !== "HEAD") return answer;
  await answer.body?.cancel();
  return new Response(null, answer);
}
