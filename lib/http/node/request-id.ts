import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const KEPT = /^[A-Za-z0-9._-]{1,64}$/;

const ID_BYTES = 12;
/** Asking the system for many random bytes costs as much as for a few. */
const pool = { bytes: Buffer.alloc(0), next: 0 };

/** A new request id. */
export function makeRequestId(): string {
  if (pool.next >= pool.bytes.length) {
    pool.bytes = randomBytes(512 * ID_BYTES);
    pool.next = 0;
  }
  pool.next += ID_BYTES;
  return `req_${pool.bytes.toString("hex", pool.next - ID_BYTES, pool.next)}`;
}

/**
 * Settles the id of a request: the client's where it is well formed, else a new one. The id is written back into the
 * request's headers, so that whoever handles it further sees the same one.
 */
export function settleRequestId(incoming: IncomingMessage): string {
  const given = incoming.headers["x-request-id"];
  const id = typeof given === "string" && KEPT.test(given) ? given : makeRequestId();
  if (given === id) return id;
  incoming.headers["x-request-id"] = id;
  if (given === undefined) {
    incoming.rawHeaders.push("X-Request-Id", id);
    return id;
  }
  const kept: string[] = [];
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    const [name = "", value = ""] = incoming.rawHeaders.slice(i, i + 2);
    if (name.toLowerCase() !== "x-request-id") kept.push(name, value);
  }
  incoming.rawHeaders.splice(0, incoming.rawHeaders.length, ...kept, "X-Request-Id", id);
  return id;
}
