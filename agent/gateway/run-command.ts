import type { Duplex } from "node:stream";
import type { ServerChannel } from "ssh2";
import { type ContainerProcess, ProgramMissing, type TerminalSize } from "./container-process";
import { NOT_RUNNING } from "./door";
import { finish, type Passage, refuse, writerOf } from "./passage";
import { startProcess } from "./start-process";

/** What a client asked for before it said what to run. */
export interface Wanted {
  /** null: a login shell. */
  command: string | null;
  variables: string[];
  terminal: TerminalSize | null;
}

export const NO_SHELL =
  "The image has no shell (sh), so nothing can be run in it by SSH. Take an image that has one, or use its ports.";

/**
 * bash where there is one, else sh, from the home folder. A login shell reads /etc/profile, which in most images forgets
 * the image's own PATH (of conda, of CUDA): it is put before it again.
 */
const START = `
cd "\${HOME:-/}" 2>/dev/null || cd /
SHELL=$(command -v bash || command -v sh); case $SHELL in /*) ;; *) SHELL=/bin/sh ;; esac; export SHELL
if [ $# -gt 0 ]; then exec "$SHELL" -c "$1"; fi
exec "$SHELL" -lc '[ "$1" = "$PATH" ] || PATH=$1:$PATH; export PATH; exec "$SHELL"' "$SHELL" "$PATH"`;

const END_OF_INPUT = "\x04";
const PRESS_AGAIN_MS = 1000;
const MOST_PRESSES = 60;
/** The channel ended for a reason outside the command. */
const EXIT_ENDED = 255;

/** Runs a command or a shell in the container, from its start to its exit code. */
export class CommandRun {
  readonly #channel: ServerChannel;
  readonly #passage: Passage;
  #process: ContainerProcess | null = null;

  constructor(channel: ServerChannel, passage: Passage) {
    this.#channel = channel;
    this.#passage = passage;
  }

  async run(wanted: Wanted): Promise<void> {
    const { signal } = this.#passage;
    try {
      const started = await this.#start(wanted);
      if (started === null) return;
      this.#process = started;
      const end = () => void started.end();
      if (signal.aborted) return end();
      signal.addEventListener("abort", end, { once: true });
      this.#feed(started, wanted.terminal !== null);
      await this.#relay(started);
      signal.removeEventListener("abort", end);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProgramMissing) return refuse(this.#channel, NO_SHELL, 127);
      this.#passage.log.warn({ err: error, instanceId: this.#passage.door().instanceId }, "command");
      refuse(this.#channel, `Nothing could be run in the instance: ${reasonOf(error)}`, EXIT_ENDED);
    }
  }

  async resize(size: TerminalSize): Promise<void> {
    await this.#process?.resize(size);
  }

  async signal(name: string): Promise<void> {
    await this.#process?.signal(name);
  }

  async #start({ command, variables, terminal }: Wanted): Promise<ContainerProcess | null> {
    const started = await startProcess(this.#passage, {
      command: ["sh", "-c", START, "sh", ...(command === null ? [] : [command])],
      variables,
      terminal,
    });
    if (started === null) refuse(this.#channel, NOT_RUNNING, 1);
    return started;
  }

  #feed({ stream }: ContainerProcess, hasTerminal: boolean): void {
    this.#channel.pipe(stream, { end: false });
    this.#channel.once("end", () => (hasTerminal ? endTerminal(stream) : stream.end()));
  }

  async #relay(started: ContainerProcess): Promise<void> {
    const { signal, door } = this.#passage;
    const writer = writerOf(this.#channel, this.#passage);
    for await (const { from, data } of started.output()) await writer.write(from, data);
    if (signal.aborted) return;
    const code = await started.exitCode();
    if (signal.aborted) return;
    if (code === null) refuse(this.#channel, NOT_RUNNING, EXIT_ENDED);
    else if (door().container() === null) refuse(this.#channel, NOT_RUNNING, code);
    else finish(this.#channel, code);
  }
}

/**
 * Closing the engine's stream tells a terminal nothing: its end of input is a key. One that comes while a shell sets its
 * terminal up is lost, so it is pressed again.
 */
function endTerminal(stream: Duplex): void {
  let presses = 0;
  const press = () => {
    presses += 1;
    if (presses === MOST_PRESSES) clearInterval(timer);
    stream.write(END_OF_INPUT);
  };
  const timer = setInterval(press, PRESS_AGAIN_MS);
  stream.once("close", () => clearInterval(timer));
  press();
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").slice(0, 300);
}
