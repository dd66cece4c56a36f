import { whileDatabaseAnswers } from "../db/heartbeat";
import { isDatabaseUnavailable } from "../db/unavailable";
import type { Ctx } from "../kernel/ctx";
import { type EventHints, followHints } from "./event-hints";
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
const RECONNECT_MS = 1_000;
const AFTER_A_FAILURE_MS = 1_000;

/** How a stream passes its time, in milliseconds. */
export interface Pace {
  heartbeatMs: number;
  /** How late an event is at most where its hint was lost. */
  pollMs: number;
  /** When to look again after a hint: a transaction that began earlier may hold back what the hint told of. */
  soonMs: readonly number[];
  longestMs: number;
}

const PACE: Pace = { heartbeatMs: 15_000, pollMs: 2_000, soonMs: [50, 200, 1_000], longestMs: 600_000 };

export interface Following {
  filters: EventFilters;
  /** Absent: what happens from now on. */
  cursor?: EventCursor | undefined;
  /** Each ends the stream: the client is gone, or the node stops. */
  ends: readonly AbortSignal[];
  /** Whether the caller may still read; asked at each heartbeat. */
  isStillAllowed: () => Promise<boolean>;
}

/**
 * One's own events as a `text/event-stream`, read from the database only as the client takes them. A database that goes
 * away is waited for.
 * @throws ValidationError where the cursor names no event of one's own · DomainError too_many_requests
 */
export async function followEvents(
  ctx: Ctx,
  following: Following,
  pace: Pace = PACE,
): Promise<ReadableStream<Uint8Array>> {
  const { cursor } = following;
  const from = await (cursor ? findPosition(ctx, cursor) : findNewest(ctx));
  const source = new EventsOfOne(ctx, following, pace, { from, hints: followHints(ctx.userId) });
  // Nothing is read ahead of the client.
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
}

class EventsOfOne implements UnderlyingDefaultSource<Uint8Array> {
  readonly #ctx: Ctx;
  readonly #following: Following;
  readonly #pace: Pace;
  readonly #hints: EventHints;
  readonly #longest: NodeJS.Timeout;
  #from: EventPosition;
  #soon: number[] = [];
  #beatAt: number;
  #hasBegun = false;
  #isOver = false;
  #isCancelled = false;
  /** The client has taken all that there was. */
  #isAwaited = false;
  #cutOff: (reason: Error) => void = () => undefined;

  constructor(ctx: Ctx, following: Following, pace: Pace, start: { from: EventPosition; hints: EventHints }) {
    this.#ctx = ctx;
    this.#following = following;
    this.#pace = pace;
    this.#from = start.from;
    this.#hints = start.hints;
    this.#beatAt = performance.now() + pace.heartbeatMs;
    this.#longest = setTimeout(this.#end, pace.longestMs);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#cutOff = (reason) => controller.error(reason);
    for (const signal of this.#following.ends) {
      signal.addEventListener("abort", this.#end);
      if (signal.aborted) this.#end();
    }
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#isAwaited = true;
    try {
      const text = await this.#next();
      if (text !== null) return controller.enqueue(Buffer.from(text));
      this.#release();
      if (!this.#isCancelled) controller.close();
    } catch (error) {
      this.#release();
      throw error;
    } finally {
      this.#isAwaited = false;
    }
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#release();
  }

  readonly #end = (): void => {
    if (this.#isOver) return;
    this.#release();
    // One that does not take what it was given would hold its connection up, and with it a node's stop.
    if (this.#hasBegun && !this.#isAwaited)
      this.#cutOff(new Error("a client did not read its event stream to the end"));
  };

  #release(): void {
    this.#isOver = true;
    clearTimeout(this.#longest);
    for (const signal of this.#following.ends) signal.removeEventListener("abort", this.#end);
    this.#hints.stop();
    this.#hints.ring();
  }

  /** What to send next; null at the end. */
  async #next(): Promise<string | null> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      return this.#isOver ? null : `retry: ${RECONNECT_MS}\n\n`;
    }
    while (!this.#isOver) {
      try {
        if (performance.now() >= this.#beatAt) return await this.#beat();
        const frames = await whileDatabaseAnswers(() => this.#read());
        if (frames) return frames;
        const wait = Math.min(this.#soon.shift() ?? this.#pace.pollMs, this.#beatAt - performance.now());
        if (await this.#hints.waitAtMost(wait)) this.#soon = [...this.#pace.soonMs];
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        await this.#hints.waitAtMost(AFTER_A_FAILURE_MS);
      }
    }
    return null;
  }

  async #beat(): Promise<string | null> {
    const isAllowed = await whileDatabaseAnswers(this.#following.isStillAllowed);
    this.#beatAt = performance.now() + this.#pace.heartbeatMs;
    return isAllowed && !this.#isOver ? ":\n\n" : null;
  }

  /** The next events as frames; "" where there are none. */
  async #read(): Promise<string> {
    const { filters } = this.#following;
    const isFiltered = filters.type !== undefined || filters.subjectId !== undefined;
    // Looked up before, so that what a filter passes over is not read again each time.
    const newest = isFiltered ? await findNewest(this.#ctx) : undefined;
    const rows = await readEvents(this.#ctx, filters, { from: this.#from, limit: AT_ONCE });
    const last = rows.at(-1);
    if (last) this.#from = last;
    if (newest && rows.length < AT_ONCE && isBehind(newest, this.#from)) this.#from = newest;
    return rows.map((row) => toFrame(presentEvent(row))).join("");
  }
}

function isBehind(a: EventPosition, b: EventPosition): boolean {
  const [x, y] = [BigInt(a.xact), BigInt(b.xact)];
  return x === y ? a.id > b.id : x > y;
}

function toFrame(event: ReturnType<typeof presentEvent>): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
