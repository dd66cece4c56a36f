/** Who sent a request, and what it turned out to be. */
export interface Peer {
  address: string;
  operation?: string;
  /** Aborted when the server begins to stop, so that answers without an end end. */
  stopping?: AbortSignal | undefined;
}

// On the request itself: the collector looks through a WeakMap at every one of its rounds.
const PEER = Symbol("peer");
type WithPeer = Request & { [PEER]?: Peer };

/** Remembers the socket's other end, which a standard Request does not carry. */
export function rememberPeer(request: Request, peer: Peer): void {
  (request as WithPeer)[PEER] = peer;
}

/** @returns no address where another server than ours handed the request in */
export function peerOf(request: Request): Peer {
  return (request as WithPeer)[PEER] ?? { address: "" };
}
