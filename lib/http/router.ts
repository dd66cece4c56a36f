import { operations } from "../contract/operations";
import { agentModules } from "./agent-modules";
import { type Answer, problemAnswer } from "./answers";
import { type Peer, rememberPeer } from "./peer";
import { requestIdOf } from "./request-id";
import { type RouteModule, routeModules } from "./route-modules";

/** One path and what answers there. */
interface Place {
  path: string;
  segments: string[];
  load: () => Promise<RouteModule>;
  /** Once it was loaded; an import costs a walk through the loader's hooks each time. */
  module?: RouteModule;
}

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

const operationIds = new Map<string, string>(
  Object.values(operations).map(({ method, path, id }) => [`${method} ${path}`, id]),
);

/** Fixed segments before parameters, so that /v0/templates/create is never a template's id. */
const places: Place[] = Object.entries({ ...routeModules, ...agentModules })
  .map(([path, load]) => ({ path, segments: path.split("/"), load }))
  .sort((a, b) => countParameters(a.path) - countParameters(b.path));

const fixedPlaces = new Map(
  places.filter(({ path }) => countParameters(path) === 1).map((place) => [place.path, place]),
);

function countParameters(path: string): number {
  return path.split("{").length;
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function findPlace(pathname: string): { place: Place; params: Record<string, string> } | null {
  const fixed = fixedPlaces.get(pathname);
  if (fixed) return { place: fixed, params: {} };
  const given = pathname.split("/");
  for (const place of places) {
    const { segments } = place;
    if (segments.length !== given.length) continue;
    if (!segments.every((segment, i) => isParameter(segment) || segment === given[i])) continue;
    const params = readParameters(segments, given);
    if (params) return { place, params };
  }
  return null;
}

/** The path of a whole URL, which a Request's always is; to parse it costs more than all else of the router. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
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
  await Promise.all(places.map(load));
}

async function load(place: Place): Promise<RouteModule> {
  place.module = await place.load();
  return place.module;
}

/**
 * Answers a request under /v0 or /agent by the very handlers that Next would call, without Next in between.
 * Unknown paths are a 404, and other methods than a path's own a 405 with `Allow`.
 */
export async function dispatch(request: Request, peer: Peer): Promise<Answer> {
  const requestId = requestIdOf(request);
  const found = findPlace(pathOf(request.url));
  if (!found) {
    const detail = "Nothing is at this address. The operations are listed in /v0/openapi.json.";
    return problemAnswer("not_found", detail, requestId);
  }
  const { place, params } = found;
  const module = place.module ?? (await load(place));
  const isHead = request.method === "HEAD";
  const method = METHODS.find((name) => name === (isHead ? "GET" : request.method));
  const handler = method && module[method];
  if (!handler) {
    const own = METHODS.filter((name) => name in module);
    const allow = own.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
    return problemAnswer("method_not_allowed", `This address takes ${allow}.`, requestId, {
      headers: { allow },
    });
  }
  peer.operation = operationIds.get(`${method} ${place.path}`) ?? place.path;
  rememberPeer(request, peer);
  const answer = await handler.answer(request, params);
  answer.headers["x-request-id"] ??= requestId;
  if (!isHead) return answer;
  if (answer.body instanceof ReadableStream) await answer.body.cancel();
  return { ...answer, body: null };
}
