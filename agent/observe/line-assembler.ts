import { LONGEST_LOG_LINE } from "@/lib/contract/agent-protocol";
import type { LogStream } from "./log-splitter";

export type OnLine = (line: { atNs: bigint; stream: LogStream; text: string }) => void;

const NEWLINE = 10;
const RETURN = 13;
/** UTF-8 has at most four bytes for what is one or two characters here. */
const MOST_BYTES = LONGEST_LOG_LINE * 4;

type Part = { atNs: bigint; sinceMs: number; bytes: Buffer[]; length: number; returned: boolean };

/**
 * Makes lines from parts, for each stream on its own: a carriage return begins the line anew, as a progress bar does; what
 * is longer than a line may be is cut; bytes that are no UTF-8 become U+FFFD. A line has the time of its first part.
 */
export class LineAssembler {
  readonly #onLine: OnLine;
  readonly #parts = new Map<LogStream, Part>();
  /** Streams whose last line was handed on before its newline came. */
  readonly #open = new Set<LogStream>();

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  add(stream: LogStream, atNs: bigint, bytes: Buffer): void {
    let rest = bytes;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#append(stream, atNs, rest.subarray(0, end));
      this.#finish(stream);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#append(stream, atNs, rest);
  }

  /** Makes lines of what waits for a newline for so long. */
  flush(leastAgeMs: number): void {
    for (const [stream, part] of this.#parts) {
      if (part.length === 0 || performance.now() - part.sinceMs < leastAgeMs) continue;
      this.#finish(stream);
      this.#open.add(stream);
    }
  }

  #append(stream: LogStream, atNs: bigint, bytes: Buffer): void {
    const part = this.#parts.get(stream) ?? {
      atNs,
      sinceMs: performance.now(),
      bytes: [],
      length: 0,
      returned: false,
    };
    this.#parts.set(stream, part);
    if (bytes.length === 0) return;
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === RETURN) end -= 1;
    const text = bytes.subarray(0, end);
    const from = text.lastIndexOf(RETURN) + 1;
    if (text.length > 0 && (part.returned || from > 0)) {
      part.bytes = [];
      part.length = 0;
    }
    const kept = text.subarray(from, from + MOST_BYTES - part.length);
    part.bytes.push(kept);
    part.length += kept.length;
    part.returned = end < bytes.length || (part.returned && text.length === 0);
  }

  #finish(stream: LogStream): void {
    const part = this.#parts.get(stream);
    this.#parts.delete(stream);
    const isRest = this.#open.delete(stream);
    if (!part || (isRest && part.length === 0)) return;
    this.#onLine({ atNs: part.atNs, stream, text: cut(Buffer.concat(part.bytes).toString("utf8")) });
  }
}

function cut(text: string): string {
  if (text.length <= LONGEST_LOG_LINE) return text;
  return `${text.slice(0, LONGEST_LOG_LINE - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
