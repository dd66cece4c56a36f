import type { ServerProblem } from "./problem";

/** The coarse class of a path: what serves it, and all that logs and metrics say of it where no operation matched. */
export type RouteClass = "v0" | "healthz" | "readyz" | "agent" | "auth" | "asset" | "page";

export type ParsedTarget = { target: string; route: RouteClass } | { problem: ServerProblem };

// Origin form of RFC 9112 3.2.1 as clients send it; quotes, braces and the like that URL parsers escape are let through.
const PRINTABLE = /^[\x21-\x7e]*$/;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Judges a request target before anything routes on it, so that no two parsers can disagree about a path.
 * @param raw the target as it stood in the request line
 * @param host the Host header, which an absolute target has to agree with
 * @param urlBytes the longest target, in bytes
 * @returns the target in origin form with its class, or the problem to answer: 414, or 404 for a malformed one
 */
export function parseTarget(raw: string, host: string | undefined, urlBytes: number): ParsedTarget {
  if (raw.length > urlBytes) return { problem: targetTooLong(urlBytes) };
  const target = toOriginForm(raw, host);
  if (target === null) return { problem: malformedTarget() };
  const path = target.split("?", 1)[0] ?? "";
  if (!isCleanPath(target, path)) return { problem: malformedTarget() };
  return { target, route: classify(path) };
}

/** The 414 of a target over `urlBytes` bytes. */
export function targetTooLong(urlBytes: number): ServerProblem {
  return {
    code: "uri_too_long",
    detail: `The address of this request is longer than ${urlBytes} bytes. Send what is long in the body.`,
  };
}

// RFC 9112 3.2.2 has servers accept absolute form; it is only ours where it names the host we were asked as.
function toOriginForm(raw: string, host: string | undefined): string | null {
  const absolute = /^https?:\/\/([^/?#]*)([^#]*)$/i.exec(raw);
  if (!absolute) return raw;
  if (host === undefined || absolute[1]?.toLowerCase() !== host.toLowerCase()) return null;
  const rest = absolute[2] ?? "";
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function isCleanPath(target: string, path: string): boolean {
  if (!path.startsWith("/") || !PRINTABLE.test(target) || target.includes("#")) return false;
  if (path.includes("//") || path.includes("\\") || DOT_SEGMENT.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function classify(path: string): RouteClass {
  if (path === "/v0" || path.startsWith("/v0/")) return "v0";
  if (path === "/healthz" || path === "/readyz") return path === "/healthz" ? "healthz" : "readyz";
  const first = path.split("/", 2)[1];
  if (first === "agent" || first === "auth") return first;
  return first === "_next" ? "asset" : "page";
}

/** The 404 of a target that no parser should route on. */
export function malformedTarget(): ServerProblem {
  return {
    code: "not_found",
    detail:
      "The address of this request is malformed, so nothing is found there. Check its path and escapes.",
  };
}
