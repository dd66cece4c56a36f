import type { LogLine } from "@/lib/contract/agent-protocol";
import { takeEngineTime } from "./engine-time";

export type LogStream = Exclude<LogLine["stream"], "system">;
/** What an engine logged at once: its time, then a line with its newline, or a part of one. */
export type OnPiece = (stream: LogStream, bytes: Buffer) => void;
/** Cuts the bytes of an engine's answer into pieces, however they arrive. */
export interface LogSplitter {
  push(chunk: Buffer): void;
  /** Hands on what has begun so long ago, where that can be. */
  flush(leastAgeMs: number): void;
}

const HEADER_BYTES = 8;
const STDERR = 2;
const MOST_STREAM = 3;
/** Of one piece: four times the longest line, and more than engines write at once. */
const MOST_KEPT_BYTES = 32 * 1024;
const NEWLINE = 10;

/**
 * The form for containers without a terminal: stream (0–3), three zeros and the length (big endian, 32 bits) before each
 * piece. https://docs.docker.com/reference/api/engine/ (ContainerAttach, stream format)
 */
export class FrameSplitter implements LogSplitter {
  readonly #onPiece: OnPiece;
  #header = Buffer.alloc(0);
  #left = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(onPiece: OnPiece) {
    this.#onPiece = onPiece;
  }

  /** @throws Error where the bytes are not of this form */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left === 0) rest = this.#takeHeader(rest);
      else {
        this.#take(rest.subarray(0, this.#left));
        const taken = Math.min(this.#left, rest.length);
        rest = rest.subarray(taken);
        this.#left -= taken;
        if (this.#left === 0) this.#emit();
      }
    }
  }

  flush(): void {}

  #takeHeader(bytes: Buffer): Buffer {
    const missing = HEADER_BYTES - this.#header.length;
    const header = Buffer.concat([this.#header, bytes.subarray(0, missing)]);
    this.#header = header;
    if (header.length < HEADER_BYTES) return Buffer.alloc(0);
    if (header.readUInt8(0) > MOST_STREAM || header.readUIntBE(1, 3) !== 0)
      throw new Error("the engine's logs are not in frames");
    this.#left = header.readUInt32BE(4);
    if (this.#left === 0) this.#header = Buffer.alloc(0);
    return bytes.subarray(missing);
  }

  #take(bytes: Buffer): void {
    const kept = bytes.subarray(0, Math.max(0, MOST_KEPT_BYTES - this.#keptBytes));
    this.#keptBytes += kept.length;
    if (kept.length > 0) this.#kept.push(kept);
    const isEnd = bytes.length === this.#left && bytes.at(-1) === NEWLINE;
    if (isEnd && kept.length < bytes.length) this.#kept.push(Buffer.of(NEWLINE));
  }

  #emit(): void {
    this.#onPiece(this.#header.readUInt8(0) === STDERR ? "stderr" : "stdout", Buffer.concat(this.#kept));
    this.#header = Buffer.alloc(0);
    this.#kept = [];
    this.#keptBytes = 0;
  }
}

/** The form for containers with a terminal: one stream, nothing but lines. */
export class RawSplitter implements LogSplitter {
  readonly #onPiece: OnPiece;
  #pending = Buffer.alloc(0);
  #sinceMs = 0;

  constructor(onPiece: OnPiece) {
    this.#onPiece = onPiece;
  }

  push(chunk: Buffer): void {
    // Podman writes each part of a line with its own time.
    if (takeEngineTime(chunk) !== null) this.flush(0);
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#onPiece("stdout", Buffer.concat([this.#pending, rest.subarray(0, end + 1)]));
      this.#pending = Buffer.alloc(0);
      rest = rest.subarray(end + 1);
    }
    if (this.#pending.length === 0) this.#sinceMs = performance.now();
    const room = Math.max(0, MOST_KEPT_BYTES - this.#pending.length);
    this.#pending = Buffer.concat([this.#pending, rest.subarray(0, room)]);
  }

  flush(leastAgeMs: number): void {
    if (this.#pending.length === 0 || performance.now() - this.#sinceMs < leastAgeMs) return;
    this.#onPiece("stdout", this.#pending);
    this.#pending = Buffer.alloc(0);
  }
}
