import type { Wish } from "../../lib/contract/agent-protocol";
import { restoreRules } from "./egress";
import { EngineWatch } from "./engine-watch";
import { InstanceEngine } from "./instance-engine";
import { InstanceWorker } from "./instance-worker";
import type { KeeperOptions, Kept } from "./keeper-options";
import { readMachineBoot } from "./machine-boot";
import type { EngineLimits } from "./plan-container";
import { PodmanLeftovers } from "./podman-leftovers";
import { PortBook } from "./port-book";
import { RunRecords } from "./run-record";
import { Postponed, type WorkPlace } from "./work-place";

export type { KeeperOptions, Kept } from "./keeper-options";

/** How long containers may be unguarded after a firewall's reload. */
const GUARD_MS = 5_000;

/**
 * Brings the containers of an agent to what is wanted, again and again, from whatever there is. May be killed at any
 * point: what it has to remember stands in the state folder before it acts, the rest is read from the engine.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #watch: EngineWatch;
  readonly #records: RunRecords;
  readonly #place: WorkPlace;
  readonly #workers = new Map<string, InstanceWorker>();
  readonly #listeners = new Set<() => void>();
  readonly #guardTimer: NodeJS.Timeout | null;
  readonly #ready: Promise<void>;
  #wishes: Map<string, Wish> | null = null;
  #isReady = false;
  #isStopped = false;
  #said = "";
  #isSaying = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#records = new RunRecords(options.folder);
    const leftovers = new PodmanLeftovers(options.docker);
    this.#watch = new EngineWatch(options.docker, leftovers, options.agentId, options.log, {
      onLook: (found) => this.#sort(found),
      onEvent: (instanceId) => this.#workers.get(instanceId)?.poke(),
      onAvailability: () => this.#changed(),
    });
    this.#place = this.#makePlace(leftovers);
    this.#guardTimer = options.egress === "guarded" ? setInterval(() => void this.#guard(), GUARD_MS) : null;
    this.#guardTimer?.unref();
    this.#ready = this.#load();
  }

  /** Whether the engine answered when it was last asked. */
  get engineAvailable(): boolean {
    return this.#watch.isAvailable;
  }

  /** The whole truth of what is wanted; what is here beside it is removed, because nobody wants it. Returns at once. */
  want(wishes: Wish[]): void {
    const isFirst = this.#wishes === null;
    this.#wishes = new Map(wishes.map((wish) => [wish.instanceId, wish]));
    if (!this.#isReady) return;
    this.#apply();
    if (isFirst) this.look();
  }

  /** What it sees now. */
  kept(): Kept[] {
    return [...this.#workers.values()].map((worker) => worker.kept()).filter((one) => one !== null);
  }

  /** Calls the listener whenever what `kept` gives, or `engineAvailable`, has changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Looks at the engine anew, as it also does every few seconds and at each of its events. */
  look(): void {
    if (this.#isReady) this.#watch.look();
  }

  /** Ends the keeping once the calls under way are done; containers go on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#guardTimer) clearInterval(this.#guardTimer);
    this.#listeners.clear();
    await this.#ready;
    await Promise.all([this.#watch.stop(), ...[...this.#workers.values()].map((worker) => worker.stop())]);
  }

  async #load(): Promise<void> {
    await this.#records.load();
    if (this.#isStopped) return;
    this.#isReady = true;
    this.#apply();
    this.#watch.look();
  }

  #makePlace(leftovers: PodmanLeftovers): WorkPlace {
    const options = this.#options;
    const limits: EngineLimits = { takesDiskSize: true, takesSwapLimit: true };
    return {
      options,
      log: options.log,
      records: this.#records,
      book: new PortBook(options.ports, options.bind, this.#records),
      machineBoot: readMachineBoot(),
      engine: (instanceId) => new InstanceEngine(options, limits, leftovers, instanceId),
      wasAwayAround: (atMs) => this.#watch.wasAwayAround(atMs),
      noteAway: (words) => this.#watch.noteAway(words),
      guard: () => this.#requireGuard(),
      changed: () => this.#changed(),
    };
  }

  /** Hands each instance its wish. Before the first wishes nothing is touched: they may be on their way. */
  #apply(): void {
    const wishes = this.#wishes;
    if (!wishes || this.#isStopped) return;
    for (const wish of wishes.values()) {
      const worker = this.#workers.get(wish.instanceId);
      if (worker) worker.want(wish);
      else this.#hire(wish.instanceId, wish);
    }
    for (const [instanceId, worker] of this.#workers) if (!wishes.has(instanceId)) worker.want(null);
    this.#dismiss();
  }

  /** Takes up what is on the machine or in the records and nobody asked for, and has all the others look. */
  #sort(found: Set<string>): void {
    const wishes = this.#wishes;
    if (!wishes || this.#isStopped) return;
    for (const instanceId of [...found, ...this.#records.all().map((record) => record.instanceId)]) {
      if (!this.#workers.has(instanceId)) this.#hire(instanceId, wishes.get(instanceId) ?? null);
    }
    for (const worker of this.#workers.values()) worker.poke();
    this.#dismiss();
  }

  #hire(instanceId: string, wish: Wish | null): void {
    const worker = new InstanceWorker(this.#place, instanceId, wish);
    this.#workers.set(instanceId, worker);
    worker.poke();
  }

  #dismiss(): void {
    for (const [instanceId, worker] of this.#workers) if (worker.isDone) this.#workers.delete(instanceId);
  }

  /** Somebody may flush the machine's rules at any time. */
  async #guard(): Promise<string | null> {
    const problem = await restoreRules(this.#options.log);
    if (problem !== null)
      this.#options.log.error({ problem }, "containers are not kept from private addresses");
    return problem;
  }

  /** Before each start: nothing gets out between two checks. */
  async #requireGuard(): Promise<void> {
    if (this.#options.egress === "guarded" && (await this.#guard()) !== null) {
      throw new Postponed("waiting: the machine cannot guard its network now");
    }
  }

  /** Many changes of one moment are told once. */
  #changed(): void {
    if (this.#isSaying) return;
    this.#isSaying = true;
    queueMicrotask(() => {
      this.#isSaying = false;
      this.#dismiss();
      const saying = JSON.stringify([this.engineAvailable, this.kept()]);
      if (saying === this.#said) return;
      this.#said = saying;
      for (const listener of this.#listeners) listener();
    });
  }
}
