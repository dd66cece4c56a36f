/** Who sent a request, and what it turned out to be. */
export interface Peer {
  address: string;
  operation?: string;
  /** Aborted when the server begins to stop, so that answers without an end end. */
  stopping?: AbortSignal | undefined;
}

const peers = new WeakMap<Request, Peer>();

/** Remembers the socket's other end, which a standard Request does not carry. */
export function rememberPeer(request: Request, peer: Peer): void {
  peers.set(request, peer);
}

/** @returns no address where another server than ours handed the request in */
export function peerOf(request: Request): Peer {
  return peers.get(request) ?? { address: "" };
}
