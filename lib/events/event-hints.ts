import { listen } from "../db/listen";
import { type Alarm, makeAlarm } from "../kernel/alarm";
import { DomainError } from "../kernel/errors";

/** Told by the trigger of the table, with the account. */
const CHANNEL = "berth_event";
const MOST_OF_ONE = 20;

/** Who follows on this node, by account. */
const followers = new Map<string, Set<Alarm>>();
let listener: { stop(): Promise<void> } | undefined;

/** Rings when events of one's own may have come. */
export type EventHints = Alarm & { stop(): void };

/**
 * An alarm that rings when events of the account were written, by whichever node: a hint, which may be lost. One connection
 * serves all followers of a process; it opens with the first and closes with the last.
 * @throws DomainError too_many_requests where the account has 20 on this node
 */
export function followHints(userId: string): EventHints {
  const own = followers.get(userId) ?? new Set();
  if (own.size >= MOST_OF_ONE) {
    throw new DomainError(
      "too_many_requests",
      `This account follows its events ${MOST_OF_ONE} times already. End one of them, then try again.`,
    );
  }
  const alarm = makeAlarm();
  own.add(alarm);
  followers.set(userId, own);
  listener ??= listen(CHANNEL, "berth event hints", ring);
  return { ...alarm, stop: () => leave(userId, alarm) };
}

function ring(userId: string | undefined): void {
  const told = userId === undefined ? [...followers.values()] : [followers.get(userId) ?? []];
  for (const alarms of told) for (const alarm of alarms) alarm.ring();
}

function leave(userId: string, alarm: Alarm): void {
  const own = followers.get(userId);
  if (!own?.delete(alarm)) return;
  if (own.size === 0) followers.delete(userId);
  if (followers.size > 0) return;
  void listener?.stop();
  listener = undefined;
}
