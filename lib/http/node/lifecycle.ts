import type { Logger } from "pino";

/** Undoes a start step. `force` is aborted when waiting has to end. */
export type Stop = (force: AbortSignal) => Promise<void>;

/** One thing that has to run for the server to run. Adding one is adding one line to the list in server.ts. */
export interface StartStep {
  name: string;
  start(): Promise<Stop | undefined>;
}

// npm passes a signal on to a process that already got it from the terminal: within a second it is one.
const SAME_SIGNAL_MS = 1_000;
const FORCED_EXIT_MS = 5_000;
const LONGEST_STOP_MS = 60_000;

/** The life of a process: steps started in order, stopped in reverse, once, whatever asks for it. */
export class Lifecycle {
  readonly #log: Logger;
  readonly #exit: (code: number) => void;
  readonly #stops: { name: string; stop: Stop }[] = [];
  readonly #force = new AbortController();
  #starting: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | undefined;
  #firstSignalAt = 0;
  #exitCode = 0;

  /** @param exit what ends the process; `process.exit` but in tests */
  constructor(log: Logger, exit: (code: number) => void) {
    this.#log = log;
    this.#exit = exit;
  }

  /**
   * Runs the steps in order.
   * @returns false if it was told to stop before all of them ran
   * @throws what a step threw; the steps before it run on until `stop` is called
   */
  async start(steps: StartStep[]): Promise<boolean> {
    for (const step of steps) {
      if (this.#stopping) return false;
      const running = this.#startOne(step);
      this.#starting = running.catch(() => undefined);
      await running;
    }
    return this.#stopping === undefined;
  }

  async #startOne({ name, start }: StartStep): Promise<void> {
    const stop = await start();
    if (stop) this.#stops.push({ name, stop });
  }

  /** Stops what was started and exits; called again it only raises the exit code. */
  stop(code: number): Promise<void> {
    this.#exitCode = Math.max(this.#exitCode, code);
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /** SIGINT or SIGTERM: the first drains, one that comes more than a second later ends all waiting. */
  signal(now = Date.now()): void {
    if (!this.#stopping) {
      this.#firstSignalAt = now;
      void this.stop(0);
      return;
    }
    if (now - this.#firstSignalAt < SAME_SIGNAL_MS || this.#force.signal.aborted) return;
    this.#log.warn("asked to stop again: no longer waiting for running requests");
    this.#force.abort();
    setTimeout(() => this.#exit(1), FORCED_EXIT_MS).unref();
  }

  async #stopAll(): Promise<void> {
    setTimeout(() => this.#exit(1), LONGEST_STOP_MS).unref();
    await this.#starting;
    for (const { name, stop } of this.#stops.reverse()) {
      try {
        await stop(this.#force.signal);
      } catch (error) {
        this.#exitCode = Math.max(this.#exitCode, 1);
        this.#log.error({ err: error, step: name }, "could not stop cleanly");
      }
    }
    this.#exit(this.#exitCode);
  }
}

/** Makes signals and uncaught errors end the process through its life cycle. */
export function followProcess(lifecycle: Lifecycle, log: Logger): void {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => lifecycle.signal());
  for (const name of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(name, (error: unknown) => {
      log.fatal({ err: error }, "an error nobody caught: stopping");
      void lifecycle.stop(1);
    });
  }
  // Who read our start-up lines may be gone; that is no reason to stop serving.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
}
