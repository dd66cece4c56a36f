import { type ByteSource, CatalogueFileError, decodeText } from "./text-input";

const LONGEST_ITEM = 1_048_576;
const DEEPEST_ITEM = 64;
const LONGEST_KEY = 64;

/** The raw text of one element and the line on which it begins. `tooDeep` ones must not be parsed. */
export type JsonItem = { line: number; text: string; tooDeep: boolean };

/**
 * Cuts a JSON document into the elements of its top-level array, or of the array under `items` in its top-level
 * object, without holding more than one. The elements are not parsed here.
 *
 * A cutter of our own and not stream-json: a row is reported with its line, which that parser does not give, and it
 * is by its own README not meant for input that may be hostile.
 */
class ItemCutter {
  private line = 1;
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** Depth inside the list, or null until it is found. */
  private listDepth: number | null = null;
  private ended = false;
  private key = "";
  private item = "";
  private itemLine = 1;
  private itemStarted = false;
  private tooDeep = false;
  private cutAny = false;

  *push(text: string): Generator<JsonItem> {
    let from = this.collecting ? 0 : text.length;
    for (let at = 0; at < text.length && !this.ended; at += 1) {
      const char = text.charAt(at);
      if (char === "\n") this.line += 1;
      if (this.inString) {
        this.inside(char);
        continue;
      }
      const atListLevel = this.listDepth !== null && this.depth === this.listDepth;
      if (atListLevel && (char === "," || char === "]")) {
        this.keep(text.slice(from, at));
        yield* this.cut(char === "]");
        from = at + 1;
        if (char === "]") this.ended = true;
        continue;
      }
      if (atListLevel && !this.itemStarted && char.trim() !== "") {
        this.itemStarted = true;
        this.itemLine = this.line;
      }
      if (this.step(char)) from = at + 1;
    }
    if (this.collecting) this.keep(text.slice(from));
  }

  finish() {
    if (this.ended) return;
    if (this.listDepth === null)
      throw new CatalogueFileError(this.line, 'there is no list of offers: expected {"items": […]} or […].');
    throw new CatalogueFileError(
      this.line,
      "the file ends in the middle of its list. Download it again and import it anew.",
    );
  }

  private get collecting(): boolean {
    return this.listDepth !== null && !this.ended;
  }

  private inside(char: string) {
    if (this.escaped) this.escaped = false;
    else if (char === "\\") this.escaped = true;
    else if (char === '"') this.inString = false;
    else if (this.listDepth === null && this.depth === 1 && this.key.length < LONGEST_KEY) this.key += char;
  }

  /** Moves over one character outside strings; true when it opened the list. */
  private step(char: string): boolean {
    if (char === '"') {
      this.inString = true;
      if (this.listDepth === null && this.depth === 1) this.key = "";
    } else if (char === "{" || char === "[") {
      const isList = this.depth === 0 || (this.depth === 1 && this.key === "items");
      this.depth += 1;
      if (this.listDepth === null && char === "[" && isList) {
        this.listDepth = this.depth;
        return true;
      }
      if (this.depth - (this.listDepth ?? this.depth) > DEEPEST_ITEM) this.tooDeep = true;
    } else if (char === "}" || char === "]") {
      this.depth -= 1;
      if (this.depth < 0) throw new CatalogueFileError(this.line, `a ${char} too many: this is not JSON.`);
    }
    return false;
  }

  private keep(text: string) {
    this.item += text;
    if (this.item.length > LONGEST_ITEM)
      throw new CatalogueFileError(this.itemLine, "the offer that begins here is longer than 1 MiB.");
  }

  private *cut(last: boolean): Generator<JsonItem> {
    const isEmptyList = last && !this.cutAny && !this.itemStarted;
    const line = this.itemStarted ? this.itemLine : this.line;
    if (!isEmptyList) yield { line, text: this.item, tooDeep: this.tooDeep };
    this.item = "";
    this.itemStarted = false;
    this.tooDeep = false;
    this.cutAny = true;
  }
}

/** The elements of a catalogue's JSON list, one at a time. Throws CatalogueFileError on a file without one. */
export async function* readJsonItems(source: ByteSource): AsyncGenerator<JsonItem> {
  const cutter = new ItemCutter();
  for await (const text of decodeText(source)) yield* cutter.push(text);
  cutter.finish();
}
