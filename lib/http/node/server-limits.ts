/** Bounds of the entry. Sizes in bytes, times in milliseconds. Tests shorten them; nothing else should. */
export interface ServerLimits {
  /** Request line and all headers together. */
  headerBytes: number;
  /** Request target. */
  urlBytes: number;
  /** `Content-Length` that a request to a page, an agent route or sign-in may announce; /v0 counts for itself. */
  pageBodyBytes: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** How often time-outs are looked for, so a time-out is late by at most this. */
  checkIntervalMs: number;
  /** What is read and thrown away of a body nobody wanted, before it is answered. */
  discardBytes: number;
  discardTimeoutMs: number;
  /** How long running requests may go on after the server was told to stop. */
  drainTimeoutMs: number;
  /** The longest /readyz waits for its check. */
  readyTimeoutMs: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  headerBytes: 16 * 1024,
  urlBytes: 8 * 1024,
  pageBodyBytes: 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Longer than the 60 s idle time of common load balancers, so that they close first.
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 500,
  discardBytes: 16 * 1024 * 1024,
  discardTimeoutMs: 5_000,
  drainTimeoutMs: 10_000,
  readyTimeoutMs: 1_500,
};
