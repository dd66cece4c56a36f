import { setTimeout as sleep } from "node:timers/promises";

/** Waits; ends early, and without an error, where the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
