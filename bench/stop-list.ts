type Stop = () => Promise<void>;

/** What has to be stopped or removed at the end, however it comes. The last that was added goes first. */
export class StopList {
  readonly #stops = new Set<Stop>();
  #ending: Promise<void> | undefined;

  /** @returns stops it now; however often it is asked, once */
  add(stop: () => Promise<unknown>): Stop {
    let ending: Promise<void> | undefined;
    const once: Stop = () => {
      ending ??= stop()
        .then(() => undefined)
        .finally(() => this.#stops.delete(once));
      return ending;
    };
    this.#stops.add(once);
    return once;
  }

  /** Whoever asks again waits for the same end. */
  stopAll(): Promise<void> {
    this.#ending ??= this.#stopEach();
    return this.#ending;
  }

  async #stopEach(): Promise<void> {
    for (let last = [...this.#stops].at(-1); last; last = [...this.#stops].at(-1)) {
      await last().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }
  }
}
