import { makeHints } from "../db/hints";
import type { Ctx } from "../kernel/ctx";
import { type Follower, type Frames, followRows, PACE, type Pace, toFrame } from "../streams/follow-rows";
import { makeFollowerPlaces } from "../streams/follower-places";
import {
  type EventCursor,
  type EventFilters,
  type EventPosition,
  findNewest,
  findPosition,
  readEvents,
} from "./list-events";
import { presentEvent } from "./presenter";

const AT_ONCE = 100;

/** Told by the trigger of the table, with the account. */
const hints = makeHints("berth_event", "berth event hints");
const takePlace = makeFollowerPlaces("its events");

export interface EventWish extends Follower {
  filters: EventFilters;
  /** Absent: what happens from now on. */
  cursor?: EventCursor | undefined;
}

/**
 * One's own events as a `text/event-stream`.
 * @throws ValidationError where the cursor names no event of one's own · DomainError too_many_requests
 */
export async function followEvents(
  ctx: Ctx,
  { filters, cursor, ...follower }: EventWish,
  pace: Pace = PACE,
): Promise<ReadableStream<Uint8Array>> {
  const from = await (cursor ? findPosition(ctx, cursor) : findNewest(ctx));
  const release = takePlace(ctx.userId);
  const read = readFrom(ctx, filters, from);
  return followRows({ ...follower, read, hint: hints.follow(ctx.userId), release }, pace);
}

/** Reads on behind `from`, some at a time. */
function readFrom(ctx: Ctx, filters: EventFilters, from: EventPosition): () => Promise<Frames> {
  const isFiltered = filters.type !== undefined || filters.subjectId !== undefined;
  let position = from;
  return async () => {
    // Looked up before, so that what a filter passes over is not read again each time.
    const newest = isFiltered ? await findNewest(ctx) : undefined;
    const rows = await readEvents(ctx, filters, { from: position, limit: AT_ONCE });
    position = rows.at(-1) ?? position;
    if (newest && rows.length < AT_ONCE && isBehind(newest, position)) position = newest;
    return { text: rows.map(presentEvent).map(frameOf).join("") };
  };
}

function isBehind(a: EventPosition, b: EventPosition): boolean {
  const [x, y] = [BigInt(a.xact), BigInt(b.xact)];
  return x === y ? a.id > b.id : x > y;
}

function frameOf(event: ReturnType<typeof presentEvent>): string {
  return toFrame(event.id, event.type, event);
}
