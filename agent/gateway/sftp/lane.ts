import { randomBytes } from "node:crypto";
import { type ContainerProcess, ProgramMissing } from "../container-process";
import { LANE_SCRIPT } from "./lane-script";
import { LaneFailure } from "./status";

/** The most that one request may answer with; a page of a directory with the longest names is under it. */
const LONGEST_ANSWER = 8 * 1024 * 1024;
const LONGEST_TRAILER = 64;

interface Waiting {
  mark: string;
  trailer: RegExp;
  chunks: Buffer[];
  length: number;
  resolve(answer: LaneAnswer): void;
  reject(error: Error): void;
}

export interface LaneAnswer {
  mark: string;
  code: number;
  body: Buffer;
}

export type LaneArgument = Buffer | string | number;

/** A shell in the container that carries out file operations, one after another: see `LANE_SCRIPT`. */
export class Lane {
  readonly #process: ContainerProcess;
  #waiting: Waiting | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #ended: Error | null = null;
  #tail = "";

  constructor(process: ContainerProcess) {
    this.#process = process;
    void this.#listen();
  }

  static readonly command = ["sh", "-c", LANE_SCRIPT, "sh"];

  get isEnded(): boolean {
    return this.#ended !== null;
  }

  /** @throws LaneFailure with what the program said where its exit code is not one of `expected` */
  run(verb: string, args: LaneArgument[] = [], payload?: Buffer[], expected = [0]): Promise<LaneAnswer> {
    const answer = this.#turn.then(() => this.#ask(verb, args, payload));
    this.#turn = answer.catch(() => undefined);
    return answer.then((reply) => {
      if (!expected.includes(reply.code)) throw new LaneFailure(reply.body.toString("latin1"));
      return reply;
    });
  }

  end(): void {
    this.#fail();
    void this.#process.end();
  }

  #ask(verb: string, args: LaneArgument[], payload: Buffer[] = []): Promise<LaneAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      // Whoever writes a file cannot know the mark that will stand behind it.
      const mark = randomBytes(12).toString("hex");
      const trailer = new RegExp(`\\n${mark} (\\d+)\\n$`);
      this.#waiting = { mark, trailer, chunks: [], length: 0, resolve, reject };
      this.#tail = "";
      const { stream } = this.#process;
      stream.write(`${[mark, verb, ...args.map(encodeArgument)].join(" ")}\n`);
      for (const part of payload) stream.write(part);
    });
  }

  async #listen(): Promise<void> {
    try {
      for await (const { from, data } of this.#process.output()) if (from === "stdout") this.#take(data);
      await this.#process.exitCode();
      this.#fail();
    } catch (error) {
      this.#fail(error instanceof ProgramMissing ? error : undefined);
    }
  }

  #take(data: Buffer): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    waiting.chunks.push(data);
    waiting.length += data.length;
    if (waiting.length > LONGEST_ANSWER) {
      this.end();
      return;
    }
    this.#tail = (this.#tail + data.subarray(-LONGEST_TRAILER).toString("latin1")).slice(-LONGEST_TRAILER);
    const found = waiting.trailer.exec(this.#tail);
    if (!found) return;
    this.#waiting = null;
    const body = Buffer.concat(waiting.chunks).subarray(0, waiting.length - found[0].length);
    waiting.resolve({ mark: waiting.mark, code: Number(found[1]), body });
  }

  #fail(reason: Error = new LaneFailure("The connection into the instance has ended")): void {
    this.#ended ??= reason;
    this.#waiting?.reject(this.#ended);
    this.#waiting = null;
  }
}

/** In printf's %b escapes: what is neither letter, digit nor one of `/._-:,` is an octal number. */
function encodeArgument(argument: LaneArgument): string {
  const bytes = Buffer.isBuffer(argument) ? argument : Buffer.from(String(argument));
  return bytes
    .toString("latin1")
    .replace(/[^\w/.:,-]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
