import type { ServerChannel } from "ssh2";
import type { ChannelWriter } from "../channel-writer";
import { ProgramMissing } from "../container-process";
import { NOT_RUNNING } from "../door";
import { finish, type Passage, refuse, writerOf } from "../passage";
import { NO_SHELL } from "../run-command";
import { startProcess } from "../start-process";
import { answerRequest, extensions, LONGEST_DATA, type Served, status } from "./answer-request";
import { Handles } from "./handles";
import { Lane } from "./lane";
import { LanePool } from "./lane-pool";
import { readPackets } from "./packets";
import { PathRequests } from "./path-requests";
import { MalformedPacket, SftpFailure, STATUS } from "./status";
import { number, PacketReader, packet, REQUEST, RESPONSE, text } from "./wire";

/** Bytes of data in requests that are being answered; past it the client has to wait. */
const MOST_AT_ONCE = 4 * 1024 * 1024;
/** What a request without data counts for. */
const LEAST_COST = 4096;

/** One client's SFTP, in version 3 with OpenSSH's extensions, upon shells in the container. */
export class SftpSession {
  readonly #channel: ServerChannel;
  readonly #passage: Passage;
  readonly #writer: ChannelWriter;
  readonly #pool: LanePool;
  readonly #served: Served;
  #first: Promise<Lane> | null = null;
  #sending: Promise<void> = Promise.resolve();
  #underway = 0;
  #wake: (() => void) | null = null;

  constructor(channel: ServerChannel, passage: Passage) {
    this.#channel = channel;
    this.#passage = passage;
    this.#writer = writerOf(channel, passage);
    this.#pool = new LanePool(async () => new Lane(await this.#startLane()));
    this.#served = { paths: new PathRequests(() => this.#firstLane()), handles: new Handles(this.#pool) };
    passage.signal.addEventListener("abort", () => this.#end(), { once: true });
  }

  async run(): Promise<void> {
    try {
      // Says at once what is wrong, in place of a failure at each file.
      if (this.#passage.door().container() === null) return refuse(this.#channel, NOT_RUNNING, 1);
      await this.#served.paths.resolve(Buffer.from("."));
      await this.#serve();
      await this.#room(0);
      if (!this.#passage.signal.aborted) finish(this.#channel, 0);
    } catch (error) {
      if (this.#passage.signal.aborted) return;
      if (error instanceof ProgramMissing) refuse(this.#channel, NO_SHELL, 127);
      else refuse(this.#channel, `SFTP ended: ${error instanceof Error ? error.message : error}`, 1);
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#pool.endAll();
    this.#wake?.();
  }

  /** For what has no lane of its own; a new one where the renter has killed it. */
  #firstLane(): Promise<Lane> {
    const present = this.#first?.catch(() => null) ?? Promise.resolve(null);
    this.#first = present.then((lane) => {
      if (lane && !lane.isEnded) return lane;
      if (lane) this.#pool.giveBack(lane);
      return this.#pool.take();
    });
    return this.#first;
  }

  async #serve(): Promise<void> {
    let isGreeted = false;
    for await (const bytes of readPackets(this.#channel)) {
      const from = new PacketReader(bytes);
      const type = from.byte();
      if (type === REQUEST.INIT) {
        isGreeted = true;
        const named = extensions.flatMap(({ name, version }) => [text(name), text(version)]);
        this.#send(packet(RESPONSE.VERSION, number(3), ...named));
        continue;
      }
      if (!isGreeted) throw new MalformedPacket("a request before the greeting");
      await this.#answer(type, from, bytes.length);
    }
  }

  /** Resolves when there is room for another request. */
  async #answer(type: number, from: PacketReader, length: number): Promise<void> {
    const id = from.number();
    const cost = Math.max(type === REQUEST.READ ? LONGEST_DATA / 4 : length, LEAST_COST);
    this.#underway += cost;
    void this.#answerOne(type, from, id).finally(() => {
      this.#underway -= cost;
      this.#wake?.();
    });
    await this.#room(MOST_AT_ONCE);
  }

  async #room(most: number): Promise<void> {
    while (this.#underway > most && !this.#passage.signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  async #answerOne(type: number, from: PacketReader, id: number): Promise<void> {
    const answer = await answerRequest(type, from, this.#served).catch((error: unknown) => {
      if (error instanceof SftpFailure) return status(error.status, error.message);
      if (error instanceof MalformedPacket) return status(STATUS.BAD_MESSAGE, error.message);
      this.#passage.log.warn({ err: error, instanceId: this.#passage.door().instanceId }, "sftp");
      return status(STATUS.FAILURE, "The instance did not answer");
    });
    await this.#send(packet(answer.type, number(id), ...answer.fields));
  }

  /** One after another: see `ChannelWriter`. */
  #send(bytes: Buffer): Promise<void> {
    this.#sending = this.#sending.then(() => this.#writer.write("stdout", bytes));
    return this.#sending;
  }

  async #startLane() {
    const started = await startProcess(this.#passage, {
      command: Lane.command,
      variables: [],
      terminal: null,
    });
    if (started === null) throw new SftpFailure(STATUS.FAILURE, NOT_RUNNING);
    if (this.#passage.signal.aborted) void started.end();
    return started;
  }
}
