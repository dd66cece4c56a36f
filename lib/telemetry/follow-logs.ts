import { makeHints } from "../db/hints";
import type { Ctx } from "../kernel/ctx";
import { type Follower, followRows, PACE, type Pace, toFrame } from "../streams/follow-rows";
import { makeFollowerPlaces } from "../streams/follower-places";
import { findStart, type LogWish, readLogs } from "./list-logs";
import { DESTROYED, presentLine } from "./presenter";

const AT_ONCE = 100;

/** Told by the trigger of the table, with the instance. */
const hints = makeHints("berth_log", "berth log hints");
const takePlace = makeFollowerPlaces("logs");

/** Lines of one instance commit in the order of their ids: one look after a hint is enough. */
const LOG_PACE: Pace = { ...PACE, soonMs: [] };

/**
 * The logs of one's own instance as a `text/event-stream`, until it is destroyed.
 * @throws DomainError not_found, too_many_requests · ValidationError where the cursor is no line's
 */
export async function followLogs(
  ctx: Ctx,
  instanceId: string,
  { ends, isStillAllowed, ...wish }: LogWish & Follower,
  pace: Pace = LOG_PACE,
): Promise<ReadableStream<Uint8Array>> {
  let behind = await findStart(ctx, instanceId, wish);
  const beginning = String(behind);
  const read = async () => {
    const lines = await readLogs(ctx, instanceId, { behind, limit: AT_ONCE });
    if (!lines) return DESTROYED;
    behind = lines.at(-1)?.id ?? behind;
    return {
      text: lines
        .map(presentLine)
        .map((line) => toFrame(line.id, "log", line))
        .join(""),
    };
  };
  const release = takePlace(ctx.userId);
  return followRows({ ends, isStillAllowed, beginning, read, release, hint: hints.follow(instanceId) }, pace);
}
