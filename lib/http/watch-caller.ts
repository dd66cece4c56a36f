import type { Operation } from "../contract/operation";
import { DomainError } from "../kernel/errors";
import { findCaller } from "./authenticate";
import { peerOf } from "./peer";

/** What an answer without an end has to watch. */
export interface CallerWatch {
  /** Aborted when the client is gone, and when the server begins to stop. */
  ends: AbortSignal[];
  /** Whether the same request would still be let in: its key or session, its scope, its account. */
  isStillAllowed(): Promise<boolean>;
}

/** Watches the caller of a request that was let in. */
export function watchCaller(request: Request, { scope }: Operation): CallerWatch {
  const { stopping } = peerOf(request);
  return {
    ends: stopping ? [request.signal, stopping] : [request.signal],
    async isStillAllowed() {
      const caller = await findCaller(request).catch(refuseOtherOrigin);
      return caller !== null && !caller.suspended && (scope === null || caller.scopes.has(scope));
    },
  };
}

function refuseOtherOrigin(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}
