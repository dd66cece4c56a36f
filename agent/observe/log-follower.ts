import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import type { Logger } from "pino";
import { MOST_LOG_LINES } from "@/lib/contract/agent-protocol";
import { takeEngineTime } from "./engine-time";
import { LineAssembler, type OnLine } from "./line-assembler";
import { FrameSplitter, type LogSplitter, type LogStream, RawSplitter } from "./log-splitter";
import type { ReplayCursor } from "./replay-cursor";

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2000;
/** Waited for the rest of a line. */
const PART_WAIT_MS = 1000;
const PART_LOOK_MS = 250;
/** Of a container that ended: until its log is read once more from where it was, and no longer followed. */
const END_WAIT_MS = 2000;
const LAST_READING_MS = 10_000;
/** What reading one container's log may cost; the engine keeps the rest, until it is too old to be of use. */
const MOST_BYTES_A_SECOND = 1024 * 1024;
const MOST_LAG_MS = 15_000;

type FollowerOptions = {
  docker: Docker;
  log: Logger;
  containerId: string;
  cursor: ReplayCursor;
  onLine: OnLine;
  /** Lines were left out, since the container prints faster than is read. */
  onGap: () => void;
};

/** Reads one container's log for as long as the container runs, over restarts of it and of the engine. */
export class LogFollower {
  readonly #options: FollowerOptions;
  #ended = false;
  #stopped = false;
  #running = false;
  #reading = new AbortController();
  #waiting = new AbortController();
  #tailOnly = false;
  /** Of the pieces without a time, which go on the piece before, by stream. */
  readonly #last = new Map<LogStream, { atNs: bigint; isNew: boolean }>();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  get containerId(): string {
    return this.#options.containerId;
  }

  /** Whether there is nothing more to read unless the container is started again. */
  get finished(): boolean {
    return !this.#running;
  }

  /** The container runs. */
  follow(): void {
    this.#ended = false;
    if (this.#running || this.#stopped) return;
    this.#running = true;
    void this.#run().finally(() => {
      this.#running = false;
      // It was started again while the last reading was under way.
      if (!this.#ended) this.follow();
    });
  }

  /** The container does not run any more: what it printed last is still read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting.abort();
    const reading = this.#reading;
    setTimeout(() => reading.abort(), END_WAIT_MS).unref();
  }

  stop(): void {
    this.#stopped = true;
    this.#ended = true;
    this.#waiting.abort();
    this.#reading.abort();
  }

  async #run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!this.#stopped) {
      const isLast = this.#ended;
      const result = await this.#read(isLast);
      if (result === "gone" || this.#stopped) {
        this.#ended = true;
        return;
      }
      if (isLast && result !== "failed") return;
      waitMs = result === "new" ? FIRST_WAIT_MS : Math.min(LONGEST_WAIT_MS, waitMs * 2);
      if (!this.#ended || isLast) await this.#wait(waitMs);
    }
  }

  async #wait(ms: number): Promise<void> {
    this.#waiting = new AbortController();
    await sleep(ms, undefined, { signal: this.#waiting.signal, ref: false }).catch(() => undefined);
  }

  /** Reads to the end of the stream: whether something new came, or the engine failed, or has no such container. */
  async #read(isLast: boolean): Promise<"new" | "nothing" | "failed" | "gone"> {
    const reading = new AbortController();
    this.#reading = reading;
    const limit = isLast ? setTimeout(() => reading.abort(), LAST_READING_MS) : undefined;
    const lines = new LineAssembler(this.#options.onLine);
    let hasNew = false;
    const onPiece = (stream: LogStream, bytes: Buffer) => {
      if (this.#takePiece(lines, stream, bytes)) hasNew = true;
    };
    try {
      const container = this.#options.docker.getContainer(this.containerId);
      const { Config } = await container.inspect({ abortSignal: reading.signal });
      await this.#consume(Config.Tty ? new RawSplitter(onPiece) : new FrameSplitter(onPiece), lines, reading);
    } catch (error) {
      if (isGone(error)) return "gone";
      if (!reading.signal.aborted) {
        this.#options.log.debug({ containerId: this.containerId, error: wordsOf(error) }, "logs broke off");
        return hasNew ? "new" : "failed";
      }
    } finally {
      clearTimeout(limit);
      lines.flush(0);
    }
    return hasNew ? "new" : "nothing";
  }

  async #consume(splitter: LogSplitter, lines: LineAssembler, reading: AbortController): Promise<void> {
    const since = this.#options.cursor.rewind();
    const stream = await this.#options.docker.getContainer(this.containerId).logs({
      follow: true,
      stdout: true,
      stderr: true,
      timestamps: true,
      ...(since === null ? {} : { since }),
      ...(this.#tailOnly ? { tail: MOST_LOG_LINES } : {}),
      abortSignal: reading.signal,
    });
    this.#tailOnly = false;
    const pace = new Pace();
    const parts = setInterval(() => {
      splitter.flush(PART_WAIT_MS);
      lines.flush(PART_WAIT_MS);
    }, PART_LOOK_MS);
    try {
      for await (const chunk of stream) {
        splitter.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
        if ((await pace.spend(chunk.length, reading.signal)) && this.#lags()) return this.#jump(reading);
      }
      // Not where the engine broke off: what it had begun comes again as a whole.
      splitter.flush(0);
    } finally {
      clearInterval(parts);
    }
  }

  #lags(): boolean {
    return Date.now() - this.#options.cursor.newestMs > MOST_LAG_MS;
  }

  #jump(reading: AbortController): void {
    this.#tailOnly = true;
    this.#options.onGap();
    reading.abort();
  }

  /** False where this piece was read before. */
  #takePiece(lines: LineAssembler, stream: LogStream, bytes: Buffer): boolean {
    const time = takeEngineTime(bytes);
    const last = this.#last.get(stream);
    if (time === null) {
      const atNs = last?.atNs ?? BigInt(Date.now()) * 1_000_000n;
      if (last?.isNew ?? true) lines.add(stream, atNs, bytes);
      return last?.isNew ?? true;
    }
    const isNew = this.#options.cursor.isNew(time.atNs);
    this.#last.set(stream, { atNs: time.atNs, isNew });
    if (isNew) lines.add(stream, time.atNs, bytes.subarray(time.length));
    return isNew;
  }
}

/** Lets so many bytes through each second. */
class Pace {
  #sinceMs = performance.now();
  #spent = 0;

  /** Waits for the next second where this one's are used up, and says so. */
  async spend(bytes: number, signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    if (now - this.#sinceMs >= 1000) {
      this.#sinceMs = now;
      this.#spent = 0;
    }
    this.#spent += bytes;
    if (this.#spent < MOST_BYTES_A_SECOND) return false;
    await sleep(Math.max(0, this.#sinceMs + 1000 - now), undefined, { signal });
    return true;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "statusCode" in error && error.statusCode === 404;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
