/**
 * An Idempotency-Key for one wish of a visitor: the same for each try, another for the next wish. Not `randomUUID`, which
 * browsers keep from a market on plain http off loopback.
 */
export function newIntent(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
