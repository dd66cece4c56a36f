import type { IncomingMessage } from "node:http";
import type { ServerProblem } from "./problem";
import type { RouteClass } from "./request-target";
import type { ServerLimits } from "./server-limits";

const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;
const READ_ONLY = new Set<RouteClass>(["healthz", "readyz", "asset", "page"]);
/** Offers to go on in another version of HTTP or under TLS: declining is to answer in HTTP/1.1. */
const DECLINABLE = /^(?:h2c?|h2c-\d+|http\/2\.0|tls\/1\.\d)$/i;

/** What is wrong with a request whose target is well formed, before anybody handles it; null where nothing is. */
export function judgeRequest(
  incoming: IncomingMessage,
  route: RouteClass,
  limits: ServerLimits,
): ServerProblem | null {
  return (
    judgeHost(incoming) ??
    judgeMethod(incoming, route) ??
    judgeUpgrade(incoming) ??
    judgeSize(incoming, route, limits)
  );
}

// RFC 9112 3.2: exactly one, and well formed. HTTP/1.0 has none.
function judgeHost({ httpVersion, headers, rawHeaders }: IncomingMessage): ServerProblem | null {
  let given = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === "host") given += 1;
  }
  if (given === 0 && httpVersion === "1.0") return null;
  if (given === 1 && HOST.test(headers.host ?? "")) return null;
  return { code: "bad_request", detail: "A request needs exactly one well-formed Host header." };
}

function judgeMethod({ method }: IncomingMessage, route: RouteClass): ServerProblem | null {
  if (!READ_ONLY.has(route) || method === "GET" || method === "HEAD") return null;
  return {
    code: "method_not_allowed",
    detail: "This address can only be read.",
    headers: { allow: "GET, HEAD" },
  };
}

// Node hands the request over as a plain one, since nobody listens for upgrades.
function judgeUpgrade({ headers }: IncomingMessage): ServerProblem | null {
  const offered = headers.upgrade?.split(",").map((protocol) => protocol.trim()) ?? [];
  if (!/\bupgrade\b/i.test(headers.connection ?? "")) return null;
  if (offered.every((protocol) => DECLINABLE.test(protocol))) return null;
  return { code: "not_found", detail: "Nothing here speaks that protocol. Send a plain HTTP request." };
}

function judgeSize(
  { headers }: IncomingMessage,
  route: RouteClass,
  limits: ServerLimits,
): ServerProblem | null {
  if (route === "v0" || Number(headers["content-length"] ?? 0) <= limits.pageBodyBytes) return null;
  return {
    code: "payload_too_large",
    detail: `The body of this request is larger than ${limits.pageBodyBytes} bytes.`,
  };
}
