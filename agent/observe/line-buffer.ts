import { type LogLine, MOST_LOG_LINES } from "@/lib/contract/agent-protocol";

const MOST_CHARACTERS = 1024 * 1024;

/**
 * The lines of one instance that wait to be sent, bounded: beyond 2,000 lines or 1 Mi characters the oldest are dropped,
 * and a line in their place says how many. Times grow strictly: two lines of one nanosecond, or of an engine that counts
 * in seconds, follow each other by one.
 */
export class LineBuffer {
  #lines: LogLine[] = [];
  #characters = 0;
  #dropped = 0;
  #droppedUntil = "0";
  /** Of all lines, and of the engine's alone, which come to the same times when they are read again. */
  #lastNs = 0n;
  #lastReadNs = 0n;
  #afterNs = 0n;

  /** The newest line that an earlier run of this agent sent: what is read again up to it is left out. */
  leaveOutUntil(afterNs: bigint): void {
    this.#afterNs = afterNs;
    if (afterNs > this.#lastNs) this.#lastNs = afterNs;
  }

  get waiting(): number {
    return this.#lines.length + (this.#dropped > 0 ? 1 : 0);
  }

  /** A line that was read of the engine's log. */
  add(stream: LogLine["stream"], atNs: bigint, text: string): void {
    this.#lastReadNs = later(atNs, this.#lastReadNs);
    if (this.#lastReadNs > this.#afterNs) this.say(this.#lastReadNs, text, stream);
  }

  /** A line that is new in any case. */
  say(atNs: bigint, text: string, stream: LogLine["stream"] = "system"): void {
    this.#lastNs = later(atNs, this.#lastNs);
    this.#lines.push({ atNs: String(this.#lastNs), stream, text });
    this.#characters += text.length;
    this.#bound();
  }

  /** The oldest lines: at most so many, and of so many characters, but one at least where one waits. */
  take(most: number, mostCharacters: number): LogLine[] {
    if (most < 1) return [];
    this.#placeNote();
    let count = 0;
    let characters = 0;
    for (const { text } of this.#lines.slice(0, most)) {
      if (count > 0 && characters + text.length > mostCharacters) break;
      characters += text.length;
      count += 1;
    }
    this.#characters -= characters;
    return this.#lines.splice(0, count);
  }

  putBack(lines: readonly LogLine[]): void {
    this.#placeNote();
    this.#lines = [...lines, ...this.#lines];
    for (const { text } of lines) this.#characters += text.length;
    this.#bound();
  }

  #bound(): void {
    while (this.waiting > MOST_LOG_LINES || this.#characters > MOST_CHARACTERS) {
      const oldest = this.#lines.shift();
      if (oldest === undefined) return;
      this.#characters -= oldest.text.length;
      this.#dropped += 1;
      this.#droppedUntil = oldest.atNs;
    }
  }

  /** It takes the time of the last line that it stands for, so that times still grow. */
  #placeNote(): void {
    if (this.#dropped === 0) return;
    const what = this.#dropped === 1 ? "1 line was" : `${this.#dropped} lines were`;
    const text = `${what} dropped here: the container prints faster than its logs can be sent`;
    this.#lines.unshift({ atNs: this.#droppedUntil, stream: "system", text });
    this.#characters += text.length;
    this.#dropped = 0;
  }
}

function later(atNs: bigint, lastNs: bigint): bigint {
  return atNs > lastNs ? atNs : lastNs + 1n;
}
