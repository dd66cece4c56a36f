import ipaddr from "ipaddr.js";
import { authenticateKey, authenticateSession, type Caller } from "../accounts/caller";
import { findClientAddress } from "../accounts/client-header";
import { env } from "../env";
import { DomainError } from "../kernel/errors";
import { marketUrl } from "./market-url";
import { takeCallerToken, takeFailureToken } from "./rate-limit";

const BAD_KEY =
  "The X-Api-Key header is missing, or its key is malformed, unknown, revoked or expired. Make one with `berth key create`.";
const TOO_MANY = "Too many requests. Wait a moment and try again.";

/**
 * Who calls: the key of X-Api-Key, or a signed-in browser by its session cookie.
 * @param peerAddress the socket's other end
 * @throws DomainError invalid_api_key, too_many_requests, forbidden_origin
 */
export async function authenticate(request: Request, peerAddress: string): Promise<Caller> {
  const caller = await findCaller(request);
  if (caller) {
    if (!takeCallerToken(keyOf(request) ?? caller.userId))
      throw new DomainError("too_many_requests", TOO_MANY);
    return caller;
  }
  throw refuseCaller(request, peerAddress, BAD_KEY);
}

/** The refusal of a bad key or secret, which is counted against the address it came from. */
export function refuseCaller(request: Request, peerAddress: string, detail: string): DomainError {
  return takeFailureToken(failureBucket(clientAddress(request, peerAddress)))
    ? new DomainError("invalid_api_key", detail)
    : new DomainError("too_many_requests", TOO_MANY);
}

/** Where a request came from, as far as it can be believed; undefined where that is no address. */
export function clientAddress(request: Request, peerAddress: string): string | undefined {
  const forwarded = request.headers.get("x-forwarded-for") ?? undefined;
  return findClientAddress(peerAddress, forwarded, env().TRUST_PROXY);
}

/**
 * Who calls, uncounted; null for a bad key and for nobody.
 * @throws DomainError forbidden_origin
 */
export async function findCaller(request: Request): Promise<Caller | null> {
  const key = keyOf(request);
  return key !== undefined ? authenticateKey(key) : findBrowser(request);
}

/** Trimmed of all that is blank: one key has one name, whatever stands around it. */
function keyOf(request: Request): string | undefined {
  return request.headers.get("x-api-key")?.trim();
}

async function findBrowser(request: Request): Promise<Caller | null> {
  if (!request.headers.has("cookie")) return null;
  const caller = await authenticateSession(request.headers);
  if (caller && !isOwnPage(request)) {
    throw new DomainError(
      "forbidden_origin",
      "A browser session is only good on this site's own pages. A program needs an API key.",
    );
  }
  return caller;
}

/** No other site may read or change anything with a visitor's cookie ("Browser" of the decisions). */
function isOwnPage(request: Request): boolean {
  if (request.method === "GET" || request.method === "HEAD") {
    const site = request.headers.get("sec-fetch-site");
    return site === null || site === "same-origin" || site === "none";
  }
  return request.headers.get("origin") === marketUrl(request);
}

/** Under which name the failures of an address are counted. */
function failureBucket(address: string | undefined): string {
  if (!address) return "unknown";
  const parsed = ipaddr.process(address);
  // One IPv6 customer has a whole /64.
  return parsed.kind() === "ipv6" ? parsed.toByteArray().slice(0, 8).join(".") : parsed.toString();
}
