import type { LanePool } from "./lane-pool";
import { OpenFile } from "./open-file";
import { OpenFolder } from "./open-folder";
import { SftpFailure, STATUS } from "./status";

type Open = OpenFile | OpenFolder;

/** What a client has open, by the handle that it was given. */
export class Handles {
  readonly #pool: LanePool;
  readonly #open = new Map<string, Open>();
  #last = 0;

  constructor(pool: LanePool) {
    this.#pool = pool;
  }

  /** @throws SftpFailure */
  async add(open: (lane: Awaited<ReturnType<LanePool["take"]>>) => Promise<Open>): Promise<Buffer> {
    const lane = await this.#pool.take();
    try {
      const handle = Buffer.from(String(++this.#last));
      this.#open.set(handle.toString(), await open(lane));
      return handle;
    } catch (error) {
      this.#pool.giveBack(lane);
      throw error;
    }
  }

  /** @throws SftpFailure */
  file(handle: Buffer): OpenFile {
    const found = this.#open.get(handle.toString("latin1"));
    if (found instanceof OpenFile) return found;
    throw new SftpFailure(STATUS.FAILURE, "No such open file");
  }

  /** @throws SftpFailure */
  folder(handle: Buffer): OpenFolder {
    const found = this.#open.get(handle.toString("latin1"));
    if (found instanceof OpenFolder) return found;
    throw new SftpFailure(STATUS.FAILURE, "No such open directory");
  }

  /** @throws SftpFailure where it is not open, or what was written could not be kept */
  async close(handle: Buffer): Promise<void> {
    const name = handle.toString("latin1");
    const found = this.#open.get(name);
    if (!found) throw new SftpFailure(STATUS.FAILURE, "No such handle");
    this.#open.delete(name);
    try {
      await found.close();
    } finally {
      this.#pool.giveBack(found.lane);
    }
  }
}
