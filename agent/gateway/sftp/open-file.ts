import type { FileAttributes } from "./attributes";
import type { Lane } from "./lane";
import { ReadAhead } from "./read-ahead";
import { SftpFailure, STATUS } from "./status";

export const FLAG = { READ: 1, WRITE: 2, APPEND: 4, CREATE: 8, TRUNCATE: 16, EXCLUSIVE: 32 };

const MOST_AT_ONCE = 1024 * 1024;
/** Of the file that a lane has open, whatever became of its name. */
const ITSELF = "/proc/self/fd/3";

interface PendingWrite {
  offset: number;
  data: Buffer;
  resolve(): void;
  reject(error: unknown): void;
}

/** A file that a client has open: a lane of its own holds it. */
export class OpenFile {
  readonly lane: Lane;
  readonly #flags: number;
  readonly #readAhead: ReadAhead;
  #pending: PendingWrite[] = [];
  #writing: Promise<void> | null = null;

  private constructor(lane: Lane, flags: number) {
    this.lane = lane;
    this.#flags = flags;
    this.#readAhead = new ReadAhead(async (offset, length) => {
      const { body } = await lane.run("read", [offset, length]);
      return body;
    });
  }

  /** @throws SftpFailure */
  static async open(lane: Lane, path: Buffer, flags: number, asked: Partial<FileAttributes>) {
    const letters = [
      flags & FLAG.WRITE ? "w" : "r",
      flags & FLAG.APPEND ? "a" : "",
      flags & FLAG.CREATE ? (flags & FLAG.EXCLUSIVE ? "x" : "c") : "",
      flags & FLAG.TRUNCATE ? "t" : "",
    ].join("");
    const umask = (~(asked.mode ?? 0o666) & 0o777) | 0o022;
    await lane.run("open", [path, letters, umask.toString(8)]);
    return new OpenFile(lane, flags);
  }

  /** Empty: the end of the file. Reads are answered in the order that they were asked in. @throws SftpFailure */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset > Number.MAX_SAFE_INTEGER) return Buffer.alloc(0);
    if (this.#writing) await this.#flushed();
    return this.#readAhead.read(offset, length);
  }

  /** Resolves when it is in the file. What lies next to each other goes there at once. @throws SftpFailure */
  write(offset: number, data: Buffer): Promise<void> {
    if (!(this.#flags & FLAG.WRITE)) throw new SftpFailure(STATUS.PERMISSION_DENIED, "Not open for writing");
    if (offset + data.length > Number.MAX_SAFE_INTEGER)
      throw new SftpFailure(STATUS.FAILURE, "File too large");
    if (data.length === 0) return Promise.resolve();
    this.#readAhead.forget();
    return new Promise((resolve, reject) => {
      this.#pending.push({ offset, data, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** A verb upon the open file; after what was written. */
  async run(verb: string, ...rest: (string | number)[]) {
    await this.#flushed();
    this.#readAhead.forget();
    return this.lane.run(verb, [ITSELF, ...rest]);
  }

  async close(): Promise<void> {
    await this.#flushed();
    await this.lane.run("close");
  }

  async #flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What arrived in the same turn is written together.
    await Promise.resolve();
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
      const offset = batch[0]?.offset ?? 0;
      const length = batch.reduce((sum, { data }) => sum + data.length, 0);
      const verb = this.#flags & FLAG.APPEND ? "append" : "write";
      try {
        await this.lane.run(
          verb,
          [offset, length],
          batch.map(({ data }) => data),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // What the lane has read of its input is not known.
        this.lane.end();
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = null;
  }

  #nextBatch(): PendingWrite[] {
    let [end, size, count] = [this.#pending[0]?.offset ?? 0, 0, 0];
    for (const { offset, data } of this.#pending) {
      if (offset !== end || (count > 0 && size + data.length > MOST_AT_ONCE)) break;
      end += data.length;
      size += data.length;
      count++;
    }
    return this.#pending.splice(0, count);
  }
}
