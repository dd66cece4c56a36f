import type { Logger } from "pino";
import type { ContainerStats, LogLine, ReportBody, Seen, Wish } from "../lib/contract/agent-protocol";
import type { Alarm } from "../lib/kernel/alarm";
import { pause } from "../lib/kernel/pause";
import type { Keeper, Kept } from "./containers/keeper";
import { type ControlPlane, RefusedError } from "./control-plane";
import type { Gateway } from "./gateway/gateway";
import type { LogCollector } from "./observe/log-collector";
import type { StateFolder } from "./state-folder";

const POLL_SECONDS = 20;
const REPORT_EVERY_MS = 10_000;
/** What changes together is told together. */
const GATHER_MS = 20;
const RETRY_MS = [200, 1_000, 2_000, 5_000];
const WISHES = "wishes";
const LINES_A_REPORT = 500;
/** Below the control plane's 1 MiB. */
const LARGEST_REPORT = 800_000;

export interface SyncParts {
  controlPlane: ControlPlane;
  keeper: Keeper;
  gateway: Gateway;
  logs: LogCollector;
  readStats(kept: Kept & { container: NonNullable<Kept["container"]> }): Promise<ContainerStats | null>;
  state: StateFolder;
  log: Logger;
  /** Rung when there is something to tell. */
  news: Alarm;
  /** The market was away; it may have come back with other rules. */
  onBack(): void;
  /** The market does not know this agent any more. */
  onDismissed(reason: string): void;
}

const WORDS = {
  pulling: "pulling the image",
  starting: "",
  running: "container started",
  stopped: "container stopped",
};

/**
 * Tells the control plane what is here and hears what is wanted, each in a loop of its own. Level-triggered: what is said is
 * always the whole, so that whatever was lost is said again. While nothing answers, what was wanted last goes on.
 */
export class SyncLoop {
  readonly #parts: SyncParts;
  readonly #abort = new AbortController();
  readonly #loops: Promise<void>[] = [];
  readonly #doors = new Map<string, string | null>();
  readonly #exited = new Set<string>();
  /** What was last said of each instance in its log; "" where nothing was. */
  readonly #said = new Map<string, string>();
  /** Which were made in this run, until their logs are first read: no earlier run has read them. */
  readonly #made = new Set<string>();
  #logsUntil: Record<string, string> = {};
  #stats = new Map<string, ContainerStats | null>();
  #statsAt = Number.NEGATIVE_INFINITY;
  #number = 0;

  constructor(parts: SyncParts) {
    this.#parts = parts;
    parts.keeper.onChange(() => {
      this.#follow();
      parts.news.ring();
    });
  }

  start(): void {
    this.#follow();
    this.#loops.push(
      this.#loop(WISHES, this.#hear()),
      this.#loop("report", () => this.#report()),
    );
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#parts.news.ring();
    await Promise.all(this.#loops);
  }

  async #loop(name: string, round: () => Promise<void>): Promise<void> {
    const { log } = this.#parts;
    let failures = 0;
    while (!this.#abort.signal.aborted) {
      try {
        await round();
        if (failures > 0) this.#noteBack(name);
        failures = 0;
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        if (error instanceof RefusedError && error.status === 401)
          return this.#parts.onDismissed(error.message);
        const reason = error instanceof Error ? error.message : String(error);
        if (failures === 0)
          log.warn({ reason, doing: name }, "the market does not answer: going on as before");
        await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, this.#abort.signal);
        failures += 1;
      }
    }
  }

  #noteBack(name: string): void {
    this.#parts.log.info({ doing: name }, "the market answers again");
    if (name === WISHES) this.#parts.onBack();
  }

  #hear(): () => Promise<void> {
    const { controlPlane, keeper, state } = this.#parts;
    let revision: string | null = null;
    return async () => {
      const answer = await controlPlane.wishes(revision, POLL_SECONDS, this.#abort.signal);
      if (answer.revision === revision) return;
      keeper.want(answer.wishes);
      await state.keepWishes(answer.wishes);
      revision = answer.revision;
    };
  }

  async #report(): Promise<void> {
    const { controlPlane, keeper, logs, news } = this.#parts;
    await pause(GATHER_MS, this.#abort.signal);
    if (performance.now() - this.#statsAt >= REPORT_EVERY_MS) await this.#measure();
    const seen: Seen[] = keeper.kept().map((kept) => ({
      ...kept.seen,
      stats: kept.seen.state === "running" ? (this.#stats.get(kept.seen.instanceId) ?? null) : null,
    }));
    const lines = this.#takeLines();
    this.#number = Math.max(this.#number + 1, Date.now()); // also grows where the agent is started again
    const body: ReportBody = {
      number: this.#number,
      engineAvailable: keeper.engineAvailable,
      seen,
      logs: lines,
    };
    try {
      const { logsUntil } = await controlPlane.report(body);
      this.#logsUntil = { ...this.#logsUntil, ...logsUntil };
    } catch (error) {
      logs.putBack(lines);
      throw error;
    }
    this.#stats.clear(); // each measurement is told once
    await news.waitAtMost(Math.max(0, this.#statsAt + REPORT_EVERY_MS - performance.now()));
  }

  #takeLines(): Record<string, LogLine[]> {
    const { logs } = this.#parts;
    for (let most = LINES_A_REPORT; ; most = Math.ceil(most / 4)) {
      const lines = logs.take(most);
      if (most <= 1 || Buffer.byteLength(JSON.stringify(lines)) <= LARGEST_REPORT) return lines;
      logs.putBack(lines);
    }
  }

  async #measure(): Promise<void> {
    const { keeper, readStats } = this.#parts;
    this.#statsAt = performance.now();
    const running = keeper.kept().filter(isRunning);
    const measured = await Promise.all(
      running.map(async (kept) => [kept.seen.instanceId, await readStats(kept).catch(() => null)] as const),
    );
    this.#stats = new Map(measured);
  }

  /** Doors and logs follow what is kept. */
  #follow(): void {
    const { keeper, logs } = this.#parts;
    const kept = keeper.kept();
    for (const one of kept) {
      this.#followDoor(one);
      this.#sayInLog(one.seen);
    }
    const present = new Set(kept.map(({ seen }) => seen.instanceId));
    for (const instanceId of this.#doors.keys()) if (!present.has(instanceId)) this.#closeDoor(instanceId);
    const printing = kept.filter(({ seen }) => seen.state === "running" || this.#hasJustExited(seen));
    logs.follow(
      printing.flatMap(({ seen: { instanceId, containerId: id } }) =>
        id === null ? [] : [{ instanceId, id }],
      ),
      // Of one that was made here the newest line is our own word, and engines that count in whole seconds print before it.
      (instanceId) => (this.#made.delete(instanceId) ? null : (this.#logsUntil[instanceId] ?? null)),
    );
  }

  /** A renter reads there too what the platform did. What ran before this agent began is no news. */
  #sayInLog({ instanceId, state, message }: Kept["seen"]): void {
    const before = this.#said.get(instanceId);
    if (state === "gone") {
      this.#said.delete(instanceId);
      this.#made.delete(instanceId);
      return;
    }
    if (before === undefined && state === "pulling") this.#made.add(instanceId);
    const words = state === "exited" || state === "failed" ? message : WORDS[state];
    if (words === before) return;
    this.#said.set(instanceId, words);
    const isNews = before !== undefined || state === "pulling" || state === "failed";
    if (isNews && words !== "") this.#parts.logs.say(instanceId, words);
  }

  /** One that ran too shortly to be seen running is named to the collector once all the same. */
  #hasJustExited({ state, containerId, boot }: Kept["seen"]): boolean {
    if (state !== "exited") return false;
    const run = `${containerId} ${boot}`;
    if (this.#exited.has(run)) return false;
    this.#exited.add(run);
    return true;
  }

  #followDoor({ seen: { instanceId }, wish, sshPort, container }: Kept): void {
    if (sshPort === null || wish === null || wish.wanted === "destroyed") {
      this.#closeDoor(instanceId);
      return;
    }
    const inside = container?.id ?? null;
    const before = this.#doors.get(instanceId);
    this.#doors.set(instanceId, inside);
    if (before === undefined) this.#openDoor(instanceId, sshPort, wish);
    else if (before !== null && inside === null) this.#parts.gateway.disconnect(instanceId);
  }

  #openDoor(instanceId: string, port: number, { template }: Wish): void {
    const { gateway, keeper, log } = this.#parts;
    const find = () => keeper.kept().find(({ seen }) => seen.instanceId === instanceId);
    const door = {
      instanceId,
      port,
      username: template.sshUsername,
      container: () => find()?.container ?? null,
      keys: () => this.#askKeys(instanceId, find()?.wish ?? null),
    };
    gateway.open(door).catch((error) => {
      this.#doors.delete(instanceId); // tried again at the next change
      log.error({ err: error, instance_id: instanceId, port }, "the way in could not be opened");
    });
  }

  #closeDoor(instanceId: string): void {
    if (!this.#doors.delete(instanceId)) return;
    this.#parts.gateway.close(instanceId).catch(() => undefined);
  }

  /** The market's word at each login; its silence must lock nobody out, so then what was last heard holds. */
  async #askKeys(instanceId: string, wish: Wish | null): Promise<string[]> {
    try {
      return await this.#parts.controlPlane.keys(instanceId);
    } catch (error) {
      if (error instanceof RefusedError && error.status < 500) throw error;
      return wish?.keys ?? [];
    }
  }
}

function isRunning(kept: Kept): kept is Kept & { container: NonNullable<Kept["container"]> } {
  return kept.container !== null && kept.seen.state === "running";
}
