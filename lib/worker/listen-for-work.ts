import { listen } from "../db/listen";
import { WORK_CHANNEL } from "../instances/move-instance";
import { makeAlarm } from "../kernel/alarm";

/** Ends a wait early when another process has work. A hint that is lost costs the rest of the wait and nothing else. */
export function listenForWork(signal: AbortSignal) {
  const alarm = makeAlarm();
  const listener = listen(WORK_CHANNEL, "berth worker hints", () => alarm.ring());
  signal.addEventListener("abort", () => alarm.ring(), { once: true });
  return {
    /** Resolves at the next hint, or one that came meanwhile, and after `ms` at the latest. */
    waitAtMost: (ms: number): Promise<unknown> => (signal.aborted ? Promise.resolve() : alarm.waitAtMost(ms)),
    stop: () => listener.stop(),
  };
}
