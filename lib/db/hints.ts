import { type Alarm, makeAlarm } from "../kernel/alarm";
import { listen } from "./listen";

/** Rings when what it is about may have changed, by whichever node: a hint, which may be lost. */
export type Hint = Alarm & { stop(): void };

/**
 * Alarms for a channel whose triggers tell, as the payload, what has changed. One connection serves all followers of a
 * process; it opens with the first and closes with the last.
 * @param name what PostgreSQL calls the connection
 */
export function makeHints(channel: string, name: string) {
  const followers = new Map<string, Set<Alarm>>();
  let listener: { stop(): Promise<void> } | undefined;

  function ring(key: string | undefined): void {
    const told = key === undefined ? [...followers.values()] : [followers.get(key) ?? []];
    for (const alarms of told) for (const alarm of alarms) alarm.ring();
  }

  function leave(key: string, alarm: Alarm): void {
    const own = followers.get(key);
    if (!own?.delete(alarm)) return;
    if (own.size === 0) followers.delete(key);
    if (followers.size > 0) return;
    void listener?.stop();
    listener = undefined;
  }

  return {
    /** How many follow it on this node. */
    count: (key: string): number => followers.get(key)?.size ?? 0,
    follow(key: string): Hint {
      const alarm = makeAlarm();
      followers.set(key, (followers.get(key) ?? new Set()).add(alarm));
      listener ??= listen(channel, name, ring);
      return { ...alarm, stop: () => leave(key, alarm) };
    },
  };
}
