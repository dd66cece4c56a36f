const SMALLEST = 64 * 1024;
const LARGEST = 1024 * 1024;

interface Block {
  start: number;
  length: number;
  data: Promise<Buffer>;
}

/**
 * Fetches a file in blocks that grow while it is read from front to back, the next one while this one is given out. Reads
 * are answered one after another.
 */
export class ReadAhead {
  readonly #fetch: (offset: number, length: number) => Promise<Buffer>;
  #block: Block | null = null;
  #next: Block | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(fetch: (offset: number, length: number) => Promise<Buffer>) {
    this.#fetch = fetch;
  }

  /** As many bytes as there are, at most `length`; empty at the end of the file. */
  read(offset: number, length: number): Promise<Buffer> {
    const data = this.#turn.then(() => this.#read(offset, length));
    this.#turn = data.catch(() => undefined);
    return data;
  }

  /** What was fetched may have changed. */
  forget(): void {
    this.#block = null;
    this.#next = null;
  }

  async #read(offset: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let [at, left] = [offset, length]; left > 0; ) {
      const block = this.#blockAt(at, left);
      const data = await block.data;
      const part = data.subarray(at - block.start, at - block.start + left);
      parts.push(part);
      at += part.length;
      left -= part.length;
      if (left === 0) break;
      // A short block is the file's end as it was; the next read looks anew.
      if (data.length < block.length) {
        if (part.length === 0) this.forget();
        break;
      }
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  #blockAt(offset: number, length: number): Block {
    const block = this.#block;
    if (block && offset >= block.start && offset < block.start + block.length) return block;
    const next = this.#next;
    if (next && offset === next.start) {
      this.#block = next;
      this.#next = this.#start(next.start + next.length, Math.min(next.length * 2, LARGEST));
      return next;
    }
    const follows = block !== null && offset === block.start + block.length;
    const size = Math.max(length, SMALLEST);
    this.#block = this.#start(offset, follows ? size * 4 : size);
    this.#next = follows ? this.#start(offset + size * 4, size * 8) : null;
    return this.#block;
  }

  #start(start: number, length: number): Block {
    const data = this.#fetch(start, length);
    data.catch(() => undefined);
    return { start, length, data };
  }
}
