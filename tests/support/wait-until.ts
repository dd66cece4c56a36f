import { setTimeout as sleep } from "node:timers/promises";

/**
 * The first value that `look` gives and that is not false, null or undefined.
 * @throws Error with the last thing seen where there is none in `timeoutMs`
 */
export async function waitUntil<T>(
  what: string,
  look: () => Promise<T>,
  timeoutMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(20);
  }
}
