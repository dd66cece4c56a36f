import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import type { DoorContainer } from "./door";
import { type OutputFrame, readFrames, UnframedOutput } from "./output-frames";
import { endTree, signalTree } from "./process-tree";

export interface TerminalSize {
  rows: number;
  columns: number;
}

export interface ProcessSpec {
  command: string[];
  /** `NAME=value`, over the container's own. */
  variables: string[];
  user: string;
  terminal: TerminalSize | null;
}

/** It was stopped a moment ago. */
export class ContainerStopped extends Error {}

/** The image has no shell, or no program of that name. */
export class ProgramMissing extends Error {}

const CONTAINER_STOPPED = /is not running|on running containers|no such container/i;
const PROGRAM_MISSING = /exec: \\?"[^"]+": (executable file not found|stat .*no such file)/i;
/** Engines end a session at ctrl-p ctrl-q by default, which are a shell's keys and a file's bytes; at nothing is not offered. */
const DETACH_KEYS = Array.from({ length: 12 }, (_, i) => (i % 2 ? "ctrl-_" : "ctrl-^")).join(",");
const EXIT_LOOKS = 100;
const NOT_STARTED = [126, 127];
const LONGEST_OPENING = 500;

/** A process of a container, started through the engine's exec. */
export class ContainerProcess {
  /** Written to: its stdin, until `end`. */
  readonly stream: Duplex;
  readonly #exec: Docker.Exec;
  readonly #container: DoorContainer;
  readonly #hasTerminal: boolean;
  /** How its output began: engines tell there too that they could not start it. */
  #opening = "";
  #ending: Promise<void> | null = null;

  private constructor(exec: Docker.Exec, stream: Duplex, container: DoorContainer, hasTerminal: boolean) {
    this.#exec = exec;
    this.stream = stream;
    this.#container = container;
    this.#hasTerminal = hasTerminal;
    stream.on("error", () => stream.destroy());
  }

  /**
   * @throws ProgramMissing, ContainerStopped
   * @throws Error with the engine's reason
   */
  static async start(docker: Docker, container: DoorContainer, spec: ProcessSpec): Promise<ContainerProcess> {
    const hasTerminal = spec.terminal !== null;
    try {
      const exec = await docker.getContainer(container.id).exec({
        Cmd: spec.command,
        Env: spec.variables,
        User: spec.user === "root" ? "0" : spec.user,
        Tty: hasTerminal,
        DetachKeys: DETACH_KEYS,
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
      });
      const stream = await exec.start({ hijack: true, stdin: true, Tty: hasTerminal });
      const started = new ContainerProcess(exec, stream, container, hasTerminal);
      if (spec.terminal) await started.resize(spec.terminal);
      return started;
    } catch (error) {
      throw named(error);
    }
  }

  /** @throws ProgramMissing, Error: see `readFrames` */
  async *output(): AsyncGenerator<OutputFrame> {
    try {
      for await (const frame of readFrames(this.stream, this.#hasTerminal)) {
        if (this.#opening.length < LONGEST_OPENING)
          this.#opening += frame.data.toString("latin1", 0, LONGEST_OPENING);
        yield frame;
      }
    } catch (error) {
      throw error instanceof UnframedOutput ? named(error) : error;
    }
  }

  /** Of a process that has ended, nothing happens: engines answer 500 there. */
  async resize({ rows, columns }: TerminalSize): Promise<void> {
    await this.#exec.resize({ h: rows, w: columns }).catch(() => undefined);
  }

  /**
   * Once its output has ended: its exit code (128 + n by signal n), null where the engine does not know it.
   * @throws ProgramMissing
   */
  async exitCode(): Promise<number | null> {
    const code = await this.#waitForCode();
    const isMissing = (code === null || NOT_STARTED.includes(code)) && PROGRAM_MISSING.test(this.#opening);
    if (isMissing) throw new ProgramMissing(this.#opening);
    return code;
  }

  async #waitForCode(): Promise<number | null> {
    for (let look = 0; look < EXIT_LOOKS; look++) {
      const seen = await this.#exec.inspect().catch(() => null);
      if (seen === null) return null;
      if (!seen.Running) return seen.ExitCode;
      await sleep(Math.min(10 * (look + 1), 100));
    }
    return null;
  }

  /** A POSIX signal by its name without SIG, to it and what it started. Nothing happens where the engine is elsewhere. */
  async signal(name: string): Promise<void> {
    await signalTree(await this.#pid(), this.#container.pid, name);
  }

  /** Hangs up, as when a terminal is closed: what ignores that on purpose (nohup) stays, the process itself does not. */
  end(): Promise<void> {
    this.#ending ??= this.#hangUp();
    return this.#ending;
  }

  /** Resolves at once unless it is being ended, and then when it has. */
  async settled(): Promise<void> {
    await this.#ending;
  }

  async #hangUp(): Promise<void> {
    const pid = await this.#pid();
    this.stream.destroy();
    await endTree(pid, this.#container.pid);
  }

  async #pid(): Promise<number> {
    const seen = await this.#exec.inspect().catch(() => null);
    return seen?.Running ? seen.Pid : 0;
  }
}

function named(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  if (CONTAINER_STOPPED.test(reason)) return new ContainerStopped(reason);
  return PROGRAM_MISSING.test(reason) ? new ProgramMissing(reason) : new Error(reason);
}
