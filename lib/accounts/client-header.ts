import type { IncomingMessage, ServerResponse } from "node:http";
import ipaddr from "ipaddr.js";
import { env } from "../env";

/** Carries the caller's address to sign-in, whose requests pass through Next and so lose their socket. */
export const CLIENT_HEADER = "x-berth-client";

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Puts in that header what we know of the caller, whatever the caller has put there. */
export function nameClients(handle: Handle): Handle {
  return (incoming, outgoing) => {
    const forwarded = [incoming.headers["x-forwarded-for"]].flat().join(",");
    const address = findClientAddress(incoming.socket.remoteAddress, forwarded, env().TRUST_PROXY);
    incoming.headers[CLIENT_HEADER] = address ?? "";
    return handle(incoming, outgoing);
  };
}

/**
 * The socket's peer or, behind `trustProxy` proxies, the last hop that none of them vouches for.
 * @returns undefined where neither is an address
 */
export function findClientAddress(
  peerAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: number,
): string | undefined {
  const hop = trustProxy > 0 ? forwardedFor?.split(",").at(-trustProxy)?.trim() : undefined;
  return [hop, peerAddress].find((address) => address !== undefined && ipaddr.isValid(address));
}
