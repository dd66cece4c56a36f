/** A word as a shell would pass it on, and the line it begins on. */
export type FlagWord = { text: string; line: number };

/** The words of one command, where to read on, and the line number there. */
export type FlagWords = { words: FlagWord[]; next: number; nextLine: number };

/** A quote that does not end; `openedAt` is the line it begins on. */
export type OpenQuote = { openedAt: number };

/** What a backslash escapes within double quotes (POSIX, Shell Command Language 2.2.3). */
const ESCAPED_IN_DOUBLE = new Set(['"', "\\", "$", "`", "\n"]);

/**
 * Splits the command that begins at `start` on line `line` into words: blanks divide, a line end ends it, quotes and
 * backslashes work as in a POSIX shell, a word that begins with `#` is a comment. Nothing is expanded, and operators
 * such as & are ordinary characters. Takes time linear in what it reads.
 */
export function splitFlagWords(text: string, start: number, line: number): FlagWords | OpenQuote {
  const words: FlagWord[] = [];
  let word: FlagWord | null = null;
  let nextLine = line;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === "\n") return { words, next: at + 1, nextLine: nextLine + 1 };
    if (character === " " || character === "\t" || text.startsWith("\r\n", at)) {
      word = null;
      at += 1;
    } else if (character === "#" && word === null) {
      at = endOfLine(text, at);
    } else if (character === "\\" && isLineEnd(text, at + 1)) {
      at = endOfLine(text, at + 1) + 1;
      nextLine += 1;
    } else {
      if (word === null) {
        word = { text: "", line: nextLine };
        words.push(word);
      }
      const piece = readPiece(text, at);
      if (piece === null) return { openedAt: nextLine };
      word.text += piece.text;
      nextLine += text.slice(at, piece.next).split("\n").length - 1;
      at = piece.next;
    }
  }
  return { words, next: at, nextLine };
}

/** Where the line that holds `at` ends: the index of its line feed, or the text's length. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** One quoted stretch, escaped character or plain character; null where a quote does not end. */
function readPiece(text: string, at: number): { text: string; next: number } | null {
  const character = text.charAt(at);
  if (character === "'") {
    const end = text.indexOf("'", at + 1);
    return end < 0 ? null : { text: text.slice(at + 1, end), next: end + 1 };
  }
  if (character === '"') return readDoubleQuoted(text, at + 1);
  if (character === "\\") return { text: text.charAt(at + 1) || character, next: at + 2 };
  return { text: character, next: at + 1 };
}

function readDoubleQuoted(text: string, start: number): { text: string; next: number } | null {
  let read = "";
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { text: read, next: at + 1 };
    const escaped = character === "\\" ? text.charAt(at + 1) : "";
    if (ESCAPED_IN_DOUBLE.has(escaped)) {
      if (escaped !== "\n") read += escaped;
      at += 1;
    } else read += character;
  }
  return null;
}

function isLineEnd(text: string, at: number): boolean {
  return text.startsWith("\n", at) || text.startsWith("\r\n", at);
}
