import { setTimeout as sleep } from "node:timers/promises";

/**
 * The first value that `look` gives and that is not false, null or undefined.
 * @param tell what there is instead, for the error
 * @throws Error where there is none in `timeoutMs`
 */
export async function waitUntil<T>(
  what: string,
  look: () => Promise<T>,
  timeoutMs = 60_000,
  tell: () => Promise<string> | string = () => "",
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}\n${await tell()}`);
    await sleep(20);
  }
}
