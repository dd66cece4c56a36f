import Anser from "anser";

/** A piece of a line that looks alike. Colours are names of the 16 of a terminal, or `#rrggbb`. */
export interface Span {
  text: string;
  color: string | null;
  background: string | null;
  bold: boolean;
  italic: boolean;
  underline: boolean;
}

/** Where a search matches: in which line, from which letter. */
export interface Match {
  line: number;
  from: number;
}

/** A line as a terminal would leave it: its text in pieces, its colours beside it, and no control character. */
export function toSpans(line: string): Span[] {
  const entries = Anser.ansiToJson(settle(line), { json: true, remove_empty: true, use_classes: true });
  return entries
    .map((entry) => {
      return {
        text: entry.content.replaceAll(/(?!\t)\p{Cc}/gu, ""),
        color: colorOf(entry.fg, entry.fg_truecolor),
        background: colorOf(entry.bg, entry.bg_truecolor),
        bold: entry.decorations.includes("bold"),
        italic: entry.decorations.includes("italic"),
        underline: entry.decorations.includes("underline"),
      };
    })
    .filter(({ text }) => text !== "");
}

/** The line without its colours. */
export function toPlain(line: string): string {
  return toSpans(line)
    .map(({ text }) => text)
    .join("");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const COMMANDS = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()*+][\w]|\u001b[=>78cDEHM]/g;

/** A carriage return writes over what stood before it, as progress bars do. Window titles and the like are no text. */
function settle(line: string): string {
  return line.replaceAll(COMMANDS, "").replace(/\r+$/, "").split("\r").at(-1) ?? "";
}

function colorOf(name: string, rgb: string): string | null {
  if (!name) return null;
  if (name === "ansi-truecolor") return toHex(rgb.split(",").map(Number));
  const index = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  return index === undefined ? name.replace(/^ansi-/, "") : paletteColor(Number(index));
}

/** Of the 256 colours of xterm: a cube of six steps, then greys. */
function paletteColor(index: number): string {
  if (index >= 232) return toHex([0, 0, 0].map(() => 8 + (index - 232) * 10));
  const step = (at: number) => (at === 0 ? 0 : 55 + at * 40);
  const cube = Math.max(0, index - 16);
  return toHex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step));
}

function toHex(parts: number[]): string {
  const hex = parts.map((part) =>
    Math.min(255, Math.max(0, part || 0))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** Every place where the text stands in the lines, ignoring case. */
export function findMatches(lines: readonly string[], wanted: string): Match[] {
  const needle = wanted.toLowerCase();
  if (needle === "") return [];
  const found: Match[] = [];
  for (const [line, text] of lines.entries()) {
    const hay = text.toLowerCase();
    for (let from = hay.indexOf(needle); from >= 0; from = hay.indexOf(needle, from + needle.length)) {
      found.push({ line, from });
    }
  }
  return found;
}

/** Cuts spans where matches begin and end; `at` is where the match began, null beside one. */
export function cutAt(
  spans: readonly Span[],
  matches: readonly number[],
  length: number,
): (Span & { at: number | null })[] {
  const pieces: (Span & { at: number | null })[] = [];
  let begin = 0;
  for (const span of spans) {
    const end = begin + span.text.length;
    const edges = matches
      .flatMap((from) => [from, from + length])
      .filter((edge) => edge > begin && edge < end);
    let from = begin;
    for (const edge of [...edges, end]) {
      const text = span.text.slice(from - begin, edge - begin);
      const at = matches.find((match) => match <= from && from < match + length) ?? null;
      if (text !== "") pieces.push({ ...span, text, at });
      from = edge;
    }
    begin = end;
  }
  return pieces;
}
