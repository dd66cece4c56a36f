import type Docker from "dockerode";
import { programRunner } from "../probe/run-program";
import { ANSWER_MS, allowMissing, readFault, WORK_MS } from "./engine-fault";

const runProgram = programRunner();
/** Root's Podman calls its runtime without it, so that crun's folder is not this session's. */
const AS_PODMAN = process.getuid?.() === 0 ? ["-u", "XDG_RUNTIME_DIR"] : [];

/** Nothing can be listed as long as there is one that is among Podman's containers, and not in its storage. */
const HALF_REMOVED = /getting container from store "([0-9a-f]{64})": container not known/;

/**
 * Podman has no daemon that knows what it was doing: where it is killed in the middle of a call (-9, want of memory), it
 * leaves what it later refuses to go on with. This clears what calls of this agent left, known by their having broken off,
 * and nothing else: what looks the same may be a renter's disk that Podman lost sight of. Seen with 4.3.1.
 */
export class PodmanLeftovers {
  readonly #docker: Docker;
  /** Names of containers that were being made. */
  readonly #creates = new Set<string>();
  /** Ids of containers that were being removed. */
  readonly #removals = new Set<string>();
  /** Undefined until it was asked for; null: there is none to ask. */
  #runtime: string | null | undefined;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** Makes a container, of which no other call may be under way. @throws what dockerode rejects with */
  async create(options: Docker.ContainerCreateOptions): Promise<void> {
    const { name = "" } = options;
    await this.clearCreate(name);
    try {
      await this.#docker.createContainer({ ...options, abortSignal: AbortSignal.timeout(WORK_MS) });
    } catch (error) {
      if (hasBrokenOff(error)) this.#creates.add(name);
      throw error;
    }
  }

  /** Removes what is in the storage alone of a container that was being made. */
  async clearCreate(name: string): Promise<void> {
    if (!this.#creates.has(name)) return;
    const abortSignal = AbortSignal.timeout(ANSWER_MS);
    const fault = await this.#docker
      .getContainer(name)
      .inspect({ abortSignal })
      .then(() => null, readFault);
    if (fault && fault.kind !== "missing") return;
    if (fault) await this.#removeForced(name);
    this.#creates.delete(name);
  }

  /** It is whole: what is lost of it later is no leftover. */
  noteMade(name: string): void {
    this.#creates.delete(name);
  }

  /** Removes a container with its volumes, whatever it does. @param isRunning as the engine has it */
  async remove(containerId: string, isRunning: boolean): Promise<void> {
    if (!isRunning) await this.#clearRuntime(containerId);
    try {
      await this.#removeForced(containerId);
      this.#removals.delete(containerId);
    } catch (error) {
      if (hasBrokenOff(error)) this.#removals.add(containerId);
      throw error;
    }
  }

  /** Whether a refusal to list was for a removal that broke off, which is done now. */
  async clearRemoval(refusal: unknown): Promise<boolean> {
    const containerId = HALF_REMOVED.exec(readFault(refusal).words)?.[1] ?? "";
    if (!this.#removals.has(containerId)) return false;
    await this.remove(containerId, true);
    return true;
  }

  /**
   * Of a container that the engine does not call running, and cannot start: it neither starts again what it had begun,
   * nor knows of what its runtime has. The first is stopped, the second removed from the runtime.
   */
  async clearStart(containerId: string): Promise<void> {
    const abortSignal = AbortSignal.timeout(ANSWER_MS);
    const stop = this.#docker.getContainer(containerId).stop({ t: 0, abortSignal });
    await stop.catch(() => undefined);
    await this.#clearRuntime(containerId);
  }

  /** The first process of a container that Podman takes for one that never began may run there. */
  async #clearRuntime(containerId: string): Promise<void> {
    if (this.#runtime === undefined) this.#runtime = await this.#findRuntime();
    if (this.#runtime)
      await runProgram("env", [...AS_PODMAN, this.#runtime, "delete", "--force", containerId]);
  }

  /** Null for Docker, which clears up after itself, and where the engine is on another machine. */
  async #findRuntime(): Promise<string | null> {
    const docker = this.#docker;
    const isHere = "socketPath" in docker.modem && docker.modem.socketPath !== undefined;
    const options = [{ abortSignal: AbortSignal.timeout(ANSWER_MS) }]; // their types know of none
    const version: Partial<Docker.DockerVersion> = await Reflect.apply(docker.version, docker, options);
    if (!isHere || !version.Components?.some(({ Name }) => Name === "Podman Engine")) return null;
    const info: { DefaultRuntime?: unknown } = await Reflect.apply(docker.info, docker, options);
    return ["runc", "crun"].find((name) => name === info.DefaultRuntime) ?? null;
  }

  #removeForced(nameOrId: string): Promise<void> {
    const abortSignal = AbortSignal.timeout(WORK_MS);
    return allowMissing(this.#docker.getContainer(nameOrId).remove({ force: true, v: true, abortSignal }));
  }
}

/** The engine went away over the call; one that only takes long may still be at it, and one that was not reached never was. */
function hasBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error) || readFault(error).kind !== "away") return false;
  const isLate = /^(?:Timeout|Abort)Error$/.test(error.name);
  return !isLate && !("syscall" in error && error.syscall === "connect");
}
