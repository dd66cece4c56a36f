import { ContainerProcess, ContainerStopped, type ProcessSpec } from "./container-process";
import type { Passage } from "./passage";

/** Through one door at once; on the machine each costs a process of the engine besides its own. */
const MOST_PROCESSES = 192;

/** What a door's sessions run at once. */
export class ProcessQuota {
  readonly #processes = new Set<ContainerProcess>();
  #starting = 0;

  /** @throws Error where too many run, or it cannot be started */
  async start(begin: () => Promise<ContainerProcess>): Promise<ContainerProcess> {
    if (this.#processes.size + this.#starting >= MOST_PROCESSES)
      throw new Error(`${MOST_PROCESSES} sessions and transfers are open already; close some of them.`);
    this.#starting++;
    const started = await begin().finally(() => this.#starting--);
    this.#processes.add(started);
    const leave = () => void started.settled().then(() => this.#processes.delete(started));
    if (started.stream.destroyed) leave();
    else started.stream.once("close", leave);
    return started;
  }

  /** Resolves once those that are being ended have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#processes].map((each) => each.settled()));
  }
}

/**
 * A process in the door's container as its user, null where none runs.
 * @throws ProgramMissing, Error with the reason
 */
export async function startProcess(
  { docker, door, quota }: Passage,
  spec: Omit<ProcessSpec, "user">,
): Promise<ContainerProcess | null> {
  const { username: user, container } = door();
  const place = container();
  if (place === null) return null;
  try {
    return await quota.start(() => ContainerProcess.start(docker, place, { ...spec, user }));
  } catch (error) {
    if (error instanceof ContainerStopped) return null;
    throw error;
  }
}
