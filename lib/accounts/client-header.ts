import ipaddr from "ipaddr.js";

/** Carries the caller's address to sign-in, whose requests pass through Next and so lose their socket. */
export const CLIENT_HEADER = "x-berth-client";

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
