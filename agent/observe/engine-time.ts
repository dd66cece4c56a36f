const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?/;
/** No longer than "2026-11-21T10:32:43.123456789+00:00 ". */
const LONGEST = 36;

/**
 * Takes the time off the front of what an engine logged: nanoseconds since 1970, and the bytes it took up. Docker gives
 * nine digits of the second, Podman 4 none. Null where there is no time.
 */
export function takeEngineTime(bytes: Buffer): { atNs: bigint; length: number } | null {
  const match = TIME.exec(bytes.toString("latin1", 0, LONGEST));
  if (!match) return null;
  const [whole, second = "", fraction = "", zone = "Z"] = match;
  const atMs = Date.parse(`${second}${zone}`);
  if (Number.isNaN(atMs)) return null;
  return { atNs: BigInt(atMs) * 1_000_000n + BigInt(fraction.padEnd(9, "0")), length: whole.length };
}
