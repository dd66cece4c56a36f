/** What the readers read: a Node Readable, or anything else that gives bytes. */
export type ByteSource = AsyncIterable<Uint8Array | string>;

/**
 * The file as a whole cannot be read, as opposed to one bad row. Rows before it were good, but an import that ends
 * so must not withdraw what it did not see.
 */
export class CatalogueFileError extends Error {
  override name = "CatalogueFileError";
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`Line ${line}: ${problem}`);
    this.line = line;
  }
}

const LONGEST_LINE = 1_048_576;

/** The text of a UTF-8 file in pieces, without a byte order mark. Throws CatalogueFileError on bad bytes and NULs. */
export async function* decodeText(source: ByteSource): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for await (const chunk of source) {
    const text = typeof chunk === "string" ? chunk : decode(decoder, chunk, line);
    if (text.includes("\0"))
      throw new CatalogueFileError(
        line + countLines(text.slice(0, text.indexOf("\0"))),
        "there is a NUL byte, so this is not a text file. Save it as UTF-8 text and import it again.",
      );
    line += countLines(text);
    yield text;
  }
  const rest = decode(decoder, undefined, line);
  if (rest !== "") yield rest;
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, line: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new CatalogueFileError(
      line + (chunk ? countLinesBeforeBadBytes(chunk) : 0),
      "there are bytes that are not UTF-8. Save the file as UTF-8 (and uncompressed) and import it again.",
    );
  }
}

/** Line ends of the chunk before its first bad bytes; 0 where they only look bad after the chunk before. */
function countLinesBeforeBadBytes(chunk: Uint8Array): number {
  let from = chunk.findIndex((byte) => (byte & 0xc0) !== 0x80);
  for (let lines = 0; from >= 0 && from < chunk.length; lines += 1) {
    const end = chunk.indexOf(0x0a, from);
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(chunk.subarray(from, end < 0 ? undefined : end), {
        stream: end < 0,
      });
    } catch {
      return lines;
    }
    from = end < 0 ? chunk.length : end + 1;
  }
  return 0;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Lines without their line end (LF or CRLF), numbered from 1. Holds at most one line; throws on one over 1 MiB. */
export async function* readLines(source: ByteSource): AsyncGenerator<{ line: number; text: string }> {
  let pending = "";
  let line = 1;
  for await (const text of decodeText(source)) {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const whole = pending + text.slice(from, end);
      if (whole.length > LONGEST_LINE) throw tooLong(line);
      yield { line, text: whole.endsWith("\r") ? whole.slice(0, -1) : whole };
      pending = "";
      from = end + 1;
      line += 1;
    }
    pending += text.slice(from);
    if (pending.length > LONGEST_LINE) throw tooLong(line);
  }
  if (pending !== "") yield { line, text: pending.endsWith("\r") ? pending.slice(0, -1) : pending };
}

function tooLong(line: number): CatalogueFileError {
  return new CatalogueFileError(
    line,
    "it is longer than 1 MiB, so this is not a catalogue with one offer a line.",
  );
}

const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/u;

/** True for text that may go into a name or a key: no control characters, no lone surrogates, at most `most` long. */
export function isPlainText(text: string, most: number): boolean {
  return text.length <= most && !UNSTORABLE.test(text);
}
