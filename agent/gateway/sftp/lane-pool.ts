import type { Lane } from "./lane";
import { SftpFailure, STATUS } from "./status";

/** Each is a process in the container; OpenSSH's clients have one file open at a time. */
export const MOST_LANES = 24;
const MOST_IDLE = 2;

/** The lanes of one SFTP session; what is given back serves the next file. */
export class LanePool {
  readonly #start: () => Promise<Lane>;
  readonly #idle: Lane[] = [];
  readonly #all = new Set<Lane>();
  #count = 0;
  #isOver = false;

  constructor(start: () => Promise<Lane>) {
    this.#start = start;
  }

  /** @throws SftpFailure where too many are taken, Error where none can be started */
  async take(): Promise<Lane> {
    for (let lane = this.#idle.pop(); lane; lane = this.#idle.pop()) if (!this.#drop(lane)) return lane;
    if (this.#count >= MOST_LANES) throw new SftpFailure(STATUS.FAILURE, "Too many open files");
    this.#count++;
    try {
      const lane = await this.#start();
      this.#all.add(lane);
      if (this.#isOver) lane.end();
      return lane;
    } catch (error) {
      this.#count--;
      throw error;
    }
  }

  giveBack(lane: Lane): void {
    if (this.#drop(lane)) return;
    if (this.#idle.length < MOST_IDLE) this.#idle.push(lane);
    else {
      lane.end();
      this.#drop(lane);
    }
  }

  /** Also those that are being started. */
  endAll(): void {
    this.#isOver = true;
    for (const lane of this.#all) lane.end();
  }

  #drop(lane: Lane): boolean {
    if (!lane.isEnded) return false;
    if (this.#all.delete(lane)) this.#count--;
    return true;
  }
}
