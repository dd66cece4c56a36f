import { ContainerProcess, type ProcessSpec } from "./container-process";
import type { Passage } from "./passage";

/** Through one door at once; on the machine each costs a process of the engine besides its own. */
const MOST_PROCESSES = 192;

/** What a door's sessions run at once. */
export class ProcessQuota {
  #running = 0;

  /** @throws Error where too many run */
  enter(): () => void {
    if (this.#running >= MOST_PROCESSES)
      throw new Error(`${MOST_PROCESSES} sessions and transfers are open already; close some of them.`);
    this.#running++;
    let isOver = false;
    return () => {
      if (!isOver) this.#running--;
      isOver = true;
    };
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
  const leave = quota.enter();
  try {
    const started = await ContainerProcess.start(docker, place, { ...spec, user });
    started.stream.once("close", leave);
    if (started.stream.destroyed) leave();
    return started;
  } catch (error) {
    leave();
    throw error;
  }
}
