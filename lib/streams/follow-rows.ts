import { whileDatabaseAnswers } from "../db/heartbeat";
import type { Hint } from "../db/hints";
import { isDatabaseUnavailable } from "../db/unavailable";

const RECONNECT_MS = 1_000;
const AFTER_A_FAILURE_MS = 1_000;

/** How a stream passes its time, in milliseconds. */
export interface Pace {
  heartbeatMs: number;
  /** How late a row is at most where its hint was lost. */
  pollMs: number;
  /** When to look again after a hint: a transaction that began earlier may hold back what the hint told of. */
  soonMs: readonly number[];
  longestMs: number;
}

export const PACE: Pace = {
  heartbeatMs: 15_000,
  pollMs: 2_000,
  soonMs: [50, 200, 1_000],
  longestMs: 600_000,
};

/** Who follows. */
export interface Follower {
  /** Each ends the stream: the client is gone, or the node stops. */
  ends: readonly AbortSignal[];
  /** Whether the caller may still read; asked at each heartbeat. */
  isStillAllowed: () => Promise<boolean>;
}

/** What comes next. */
export interface Frames {
  /** In the form of an event stream; "" where there is nothing yet. */
  text: string;
  /** Nothing will come after it. */
  isLast?: boolean;
}

export interface Following extends Follower {
  /** The id that stands for where it begins: one who receives nothing and connects again goes on there. Absent: not said. */
  beginning?: string;
  /** Reads on behind what it gave before; may be called again after it failed. */
  read: () => Promise<Frames>;
  /** Rings when there may be more to read. */
  hint: Hint;
  /** Called once, at the end. */
  release: () => void;
}

/**
 * Rows as a `text/event-stream`, read from the database only as the client takes them. A database that goes away is
 * waited for.
 */
export function followRows(following: Following, pace: Pace = PACE): ReadableStream<Uint8Array> {
  // Nothing is read ahead of the client.
  return new ReadableStream<Uint8Array>(new RowsAsTheyCome(following, pace), { highWaterMark: 0 });
}

/** One event of a `text/event-stream`. */
export function toFrame(id: string, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

class RowsAsTheyCome implements UnderlyingDefaultSource<Uint8Array> {
  readonly #following: Following;
  readonly #pace: Pace;
  readonly #longest: NodeJS.Timeout;
  #soon: number[] = [];
  #beatAt: number;
  #hasBegun = false;
  #isOver = false;
  #isCancelled = false;
  /** The client has taken all that there was. */
  #isAwaited = false;
  #wasLast = false;
  #cutOff: (reason: Error) => void = () => undefined;

  constructor(following: Following, pace: Pace) {
    this.#following = following;
    this.#pace = pace;
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
    if (!this.#isOver) {
      this.#isOver = true;
      clearTimeout(this.#longest);
      for (const signal of this.#following.ends) signal.removeEventListener("abort", this.#end);
      this.#following.release();
      this.#following.hint.stop();
    }
    this.#following.hint.ring();
  }

  /** What to send next; null at the end. */
  async #next(): Promise<string | null> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      const { beginning } = this.#following;
      const position = beginning === undefined ? "" : `id: ${beginning}\n\n`;
      return this.#isOver ? null : `retry: ${RECONNECT_MS}\n\n${position}`;
    }
    const { hint, read } = this.#following;
    while (!this.#isOver && !this.#wasLast) {
      try {
        if (performance.now() >= this.#beatAt) return await this.#beat();
        const { text, isLast = false } = await whileDatabaseAnswers(read);
        this.#wasLast = isLast;
        if (text) return text;
        if (isLast) return null;
        const wait = Math.min(this.#soon.shift() ?? this.#pace.pollMs, this.#beatAt - performance.now());
        if (await hint.waitAtMost(wait)) this.#soon = [...this.#pace.soonMs];
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        await hint.waitAtMost(AFTER_A_FAILURE_MS);
      }
    }
    return null;
  }

  async #beat(): Promise<string | null> {
    const isAllowed = await whileDatabaseAnswers(this.#following.isStillAllowed);
    this.#beatAt = performance.now() + this.#pace.heartbeatMs;
    return isAllowed && !this.#isOver ? ":\n\n" : null;
  }
}
