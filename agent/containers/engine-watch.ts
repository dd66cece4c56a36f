import { createInterface } from "node:readline";
import type Docker from "dockerode";
import type { Logger } from "pino";
import { z } from "zod";
import { ANSWER_MS, oneLine } from "./engine-fault";
import { LABELS } from "./keeper-options";
import type { PodmanLeftovers } from "./podman-leftovers";

const LOOK_MS = 5000;
const LOOK_WHILE_AWAY_MS = 500;
/** An engine that is stopped ends its containers before its socket goes, and one that starts takes up the ended ones later. */
const AROUND_MS = 10_000;
const MOST_ABSENCES = 20;

interface WatchListener {
  /** All that is on the machine with this agent's label, by instance id. */
  onLook(instanceIds: Set<string>): void;
  /** Something happened to the container of an instance. */
  onEvent(instanceId: string): void;
  onAvailability(): void;
}

const engineEvent = z.object({ Actor: z.object({ Attributes: z.record(z.string(), z.string()) }) });

/** Says whether the engine answers, what there is, and when to look. */
export class EngineWatch {
  readonly #docker: Docker;
  readonly #leftovers: PodmanLeftovers;
  readonly #agentId: string;
  readonly #log: Logger;
  readonly #listener: WatchListener;
  readonly #ended = new AbortController();
  /** When the engine did not answer; the last one may have no end yet. */
  readonly #absences: { from: number; to: number | null }[] = [];
  #answeredAt = Date.now();
  #isAvailable = true;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #hasEvents = false;

  constructor(
    docker: Docker,
    leftovers: PodmanLeftovers,
    agentId: string,
    log: Logger,
    listener: WatchListener,
  ) {
    this.#docker = docker;
    this.#leftovers = leftovers;
    this.#agentId = agentId;
    this.#log = log;
    this.#listener = listener;
  }

  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** Whether the engine was away about then: what ended at that time may have ended with it. */
  wasAwayAround(atMs: number): boolean {
    return this.#absences.some(
      ({ from, to }) => atMs >= from - AROUND_MS && atMs <= (to ?? Number.POSITIVE_INFINITY) + AROUND_MS,
    );
  }

  /** A call went unanswered. */
  noteAway(words: string): void {
    if (this.#ended.signal.aborted) return;
    if (this.#isAvailable) {
      this.#isAvailable = false;
      this.#absences.push({ from: this.#answeredAt, to: null });
      if (this.#absences.length > MOST_ABSENCES) this.#absences.shift();
      this.#log.warn({ reason: words }, "the container engine does not answer");
      this.#listener.onAvailability();
    }
    this.#lookIn(LOOK_WHILE_AWAY_MS);
  }

  look(): void {
    if (this.#ended.signal.aborted) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = null;
      if (!this.#lookAgain) return;
      this.#lookAgain = false;
      this.look();
    });
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    try {
      const found = await this.#list().catch(async (error) => {
        if (await this.#leftovers.clearRemoval(error)) return this.#list();
        throw error;
      });
      if (this.#ended.signal.aborted) return;
      this.#noteAnswer();
      this.#listener.onLook(found);
      this.#lookIn(LOOK_MS);
      if (!this.#hasEvents) this.#follow().catch((error) => this.#log.debug({ err: error }, "engine events"));
    } catch (error) {
      this.noteAway(oneLine(error instanceof Error ? error.message : String(error)));
    }
  }

  async #list(): Promise<Set<string>> {
    const filters = { label: [`${LABELS.agent}=${this.#agentId}`] };
    const abortSignal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(ANSWER_MS)]);
    const [containers, networks] = await Promise.all([
      this.#docker.listContainers({ all: true, filters, abortSignal }),
      this.#docker.listNetworks({ filters, abortSignal }),
    ]);
    const labels = [...containers, ...networks].map(({ Labels }) => Labels?.[LABELS.instance]);
    return new Set(labels.filter((id) => id !== undefined));
  }

  #noteAnswer(): void {
    this.#answeredAt = Date.now();
    if (this.#isAvailable) return;
    this.#isAvailable = true;
    const last = this.#absences.at(-1);
    if (last) last.to = this.#answeredAt;
    this.#log.info("the container engine answers again");
    this.#listener.onAvailability();
  }

  #lookIn(ms: number): void {
    if (this.#ended.signal.aborted) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.look(), ms);
  }

  /** Follows the engine's events until they end, which is when the engine goes. */
  async #follow(): Promise<void> {
    this.#hasEvents = true;
    try {
      const stream = await this.#docker.getEvents({
        filters: { type: ["container"], label: [`${LABELS.agent}=${this.#agentId}`] },
        abortSignal: this.#ended.signal,
      });
      stream.once("error", () => undefined); // the lines end with it
      for await (const line of createInterface({ input: stream })) this.#takeEvent(line);
    } finally {
      this.#hasEvents = false;
      this.#lookIn(LOOK_WHILE_AWAY_MS);
    }
  }

  #takeEvent(line: string): void {
    try {
      const { Actor } = engineEvent.parse(JSON.parse(line));
      const instanceId = Actor.Attributes[LABELS.instance];
      if (instanceId !== undefined) this.#listener.onEvent(instanceId);
    } catch {
      this.look(); // something happened, whatever it was
    }
  }
}
