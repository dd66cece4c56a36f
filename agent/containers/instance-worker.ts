import type { Seen, Wish } from "../../lib/contract/agent-protocol";
import { decideStep, type Step } from "./decide-step";
import { readFault } from "./engine-fault";
import { type FoundContainer, NameTakenError } from "./instance-engine";
import type { Kept } from "./keeper-options";
import { JUPYTER_PORT, makeJupyterToken, makeUiUrl } from "./launch";
import { makeContainer, startContainer } from "./make-container";
import { PullError } from "./pull-image";
import { Postponed, Refused, type WorkPlace } from "./work-place";

const FIRST_BACK_OFF_MS = 200;
const LONGEST_BACK_OFF_MS = 30_000;
const MOST_TRIES = 3;
/** Of a first process that ended by SIGKILL. */
const KILLED = 137;

type Report = Pick<Kept["seen"], "state" | "message" | "boot">;

/** Brings one instance to what is wanted of it: looks, does one thing, looks again. Never two things at once. */
export class InstanceWorker {
  readonly instanceId: string;
  readonly #place: WorkPlace;
  #wish: Wish | null;
  #report: Report | null = null;
  #container: FoundContainer | null = null;
  /** What cannot be made; nothing is tried again until something else is wished. */
  #failure: { of: string; words: string } | null = null;
  /** Ends what may take long, when something else is wanted. */
  #change = new AbortController();
  #isDue = false;
  #working: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #tries = 0;
  #isStopped = false;

  constructor(place: WorkPlace, instanceId: string, wish: Wish | null) {
    this.#place = place;
    this.instanceId = instanceId;
    this.#wish = wish;
  }

  /** Nothing of it is left, and nobody asks for it. */
  get isDone(): boolean {
    return this.#wish === null && this.#report?.state === "gone" && !this.#working;
  }

  /** @param wish null: nobody wants it */
  want(wish: Wish | null): void {
    const before = this.#wish;
    this.#wish = wish;
    if (JSON.stringify(before) === JSON.stringify(wish)) return;
    if (before?.wanted !== wish?.wanted) {
      this.#change.abort();
      this.#change = new AbortController();
      this.#tries = 0;
    }
    this.poke();
  }

  /** Looks anew, now or as soon as what it does is done. */
  poke(): void {
    if (this.#isStopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#isDue = true;
    this.#working ??= this.#work();
  }

  /** Ends after the call that is under way; containers go on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#change.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#working;
  }

  /** Null before the first look. */
  kept(): Kept | null {
    if (!this.#report) return null;
    const { options, records } = this.#place;
    const record = records.get(this.instanceId);
    const container = this.#container;
    const sshPort = record?.sshPort ?? null;
    const ports = { ...(sshPort === null ? {} : { 22: sshPort }), ...record?.ports };
    const token = makeJupyterToken(options.tokenKey, this.instanceId);
    const template = this.#wish?.template;
    return {
      seen: {
        instanceId: this.instanceId,
        ...this.#report,
        containerId: container?.id ?? null,
        address: record ? options.address : null,
        sshPort,
        ports: Object.fromEntries(Object.entries(ports).map(([guest, port]) => [guest, String(port)])),
        uiUrl: template ? makeUiUrl(template, options.address, record?.ports[JUPYTER_PORT], token) : null,
      },
      wish: this.#wish,
      sshPort,
      container: container?.isRunning ? { id: container.id, pid: container.pid } : null,
    };
  }

  async #work(): Promise<void> {
    while (this.#isDue && !this.#isStopped) {
      this.#isDue = false;
      const { signal } = this.#change;
      try {
        if (await this.#step(signal)) this.#isDue = true;
        else this.#tries = 0;
      } catch (error) {
        if (!signal.aborted) this.#takeFault(error);
        else this.#isDue = true;
      }
      this.#place.changed();
    }
    this.#working = null;
    this.#place.changed();
  }

  /** @returns whether there is more to do */
  async #step(signal: AbortSignal): Promise<boolean> {
    const wish = this.#wish;
    if (!wish || wish.wanted === "destroyed") return this.#remove();
    const failure = this.#failure?.of === this.#subject() ? this.#failure : null;
    if (!failure) this.#failure = null;
    this.#container = await this.#place.engine(this.instanceId).find();
    if (failure && !this.#container?.isRunning) return this.#say("failed", failure.words);
    const step = decideStep({
      wanted: wish.wanted,
      boot: wish.boot,
      record: this.#place.records.get(this.instanceId),
      container: this.#container,
      machineBoot: this.#place.machineBoot,
      wasEngineAway: this.#place.wasAwayAround(this.#container?.finishedAtMs ?? 0),
    });
    return this.#take(step, wish, signal);
  }

  async #take(step: Step, wish: Wish, signal: AbortSignal): Promise<boolean> {
    const engine = this.#place.engine(this.instanceId);
    const container = this.#container;
    if (step.do === "nothing") return this.#say(step.state, this.#wordsFor(step.state));
    if (step.do === "stop") {
      this.#say(wish.wanted === "paused" ? "running" : "starting", "stopping");
      await engine.stop(container?.isFrozen ?? false, signal);
    } else if (step.do === "thaw") await engine.thaw();
    else if (step.do === "create") {
      await makeContainer(this.#place, wish, signal, (state, message) => {
        this.#say(state, message);
        this.#place.changed();
      });
    } else if (step.do === "start") {
      this.#say("starting", "starting");
      await startContainer(this.#place, wish, container?.startedAt != null);
    } else await this.#record(step, wish);
    return true;
  }

  async #record(step: Extract<Step, { do: "record" | "restore record" }>, wish: Wish): Promise<void> {
    const { records, machineBoot } = this.#place;
    if (wish.wanted === "running") this.#say("starting", "starting");
    const known = records.get(this.instanceId);
    const container = this.#container;
    const isLost = step.do === "restore record";
    await records.write({
      instanceId: this.instanceId,
      boot: isLost ? wish.boot : step.boot,
      // Of a run that nothing is known of, it is the wish that says whether it may go on.
      mark: isLost ? (container?.isRunning ? null : (container?.startedAt ?? null)) : step.mark,
      machineBoot,
      sshPort: known ? known.sshPort : (container?.sshPort ?? null),
      ports: known ? known.ports : (container?.ports ?? {}),
    });
  }

  async #remove(): Promise<boolean> {
    if (this.#report?.state !== "gone") this.#say(this.#report?.state ?? "stopped", "destroying");
    this.#place.changed();
    const engine = this.#place.engine(this.instanceId);
    await engine.removeContainer();
    this.#container = null;
    await engine.removeNetwork();
    await this.#place.records.remove(this.instanceId);
    this.#failure = null;
    return this.#say("gone", "destroyed");
  }

  #takeFault(error: unknown): void {
    if (error instanceof Refused || error instanceof PullError || error instanceof NameTakenError) {
      this.#fail(error.message);
      return;
    }
    if (error instanceof Postponed) {
      this.#say(this.#report?.state ?? "starting", error.message);
      this.#later();
      return;
    }
    const fault = readFault(error);
    this.#place.log.debug({ instanceId: this.instanceId, fault }, "the engine refused a step");
    if (fault.kind === "away") {
      this.#place.noteAway(fault.words);
      return;
    }
    const isMaking = this.#wish?.wanted === "running" && !this.#container?.isRunning;
    const isFinal = fault.kind === "refused" || (fault.kind !== "conflict" && this.#tries + 1 >= MOST_TRIES);
    if (isMaking && isFinal) this.#fail(`The container cannot be started: ${fault.words}`);
    else this.#later();
  }

  #fail(words: string): void {
    this.#failure = { of: this.#subject(), words };
    this.#place.log.info({ instanceId: this.instanceId, reason: words }, "an instance cannot be made");
    this.#say("failed", words);
  }

  /** An engine that is away takes none of the tries. */
  #later(): void {
    this.#tries += 1;
    const ms = Math.min(FIRST_BACK_OFF_MS * 2 ** this.#tries, LONGEST_BACK_OFF_MS);
    if (!this.#isStopped) this.#timer = setTimeout(() => this.poke(), ms);
  }

  /** What a failure is a failure of. */
  #subject(): string {
    const { wanted, boot, template } = this.#wish ?? {};
    return JSON.stringify([wanted, boot, template]);
  }

  #wordsFor(state: "running" | "stopped" | "exited"): string {
    if (state !== "exited") return state === "running" ? "running" : "stopped, its disk is kept";
    const { exitCode, wasOutOfMemory } = this.#container ?? {};
    if (wasOutOfMemory) return `The container ran out of memory and was ended (exit code ${exitCode}).`;
    // Not every engine hears of it when the kernel ends a program for want of memory.
    if (exitCode === KILLED)
      return "The container was killed (exit code 137), most likely because it ran out of memory.";
    return `The container ended by itself with exit code ${exitCode}.`;
  }

  /** @returns false: nothing more to do */
  #say(state: Seen["state"], message: string): false {
    const record = this.#place.records.get(this.instanceId);
    const boot = state === "failed" || !record ? (this.#wish?.boot ?? record?.boot ?? 0) : record.boot;
    this.#report = { state, message, boot };
    return false;
  }
}
