import type Docker from "dockerode";
import { programRunner } from "../probe/run-program";
import { allowMissing, readFault } from "./engine-fault";

/**
 * Podman has no daemon that knows what it was doing: where it is killed in the middle of a call (-9, want of memory), it
 * leaves what it later refuses to go on with. Seen with 4.3.1; Docker clears up after itself, and has none of these words.
 */

const ANSWER_MS = 15_000;
const WORK_MS = 120_000;
const runProgram = programRunner();

/** While it made a container: that is in its storage, and not among its containers. */
const HALF_MADE = /name .* already in use by "?([0-9a-f]{64})/;
/** While it removed one: that is among its containers, and not in its storage. Nothing can be listed as long as it is there. */
const HALF_REMOVED = /getting container from store "([0-9a-f]{64})": container not known/;

/** Removes what a call's refusal names as half made or half removed; the call may be repeated. */
export async function clearRefusal(docker: Docker, refusal: unknown): Promise<void> {
  const { words } = readFault(refusal);
  const halfMade = HALF_MADE.exec(words)?.[1];
  if (halfMade && !(await isListed(docker, halfMade))) await removeForced(docker, halfMade);
  const halfRemoved = HALF_REMOVED.exec(words)?.[1];
  if (halfRemoved) await removeForced(docker, halfRemoved);
}

/**
 * While it started one: it neither starts again what it had begun, nor knows of what its runtime has. The first is
 * stopped, the second removed from the runtime. Only for what the engine does not call running.
 */
export async function clearStart(docker: Docker, containerId: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(ANSWER_MS);
  const stop = docker.getContainer(containerId).stop({ t: 0, abortSignal });
  await stop.catch(() => undefined);
  await clearRuntime(docker, containerId);
}

/** Also of a removed container, whose first process may run on there. */
export async function clearRuntime(docker: Docker, containerId: string): Promise<void> {
  // Its types know of no options.
  const asked = Reflect.apply(docker.info, docker, [{ abortSignal: AbortSignal.timeout(ANSWER_MS) }]);
  const { DefaultRuntime } = (await asked) as { DefaultRuntime: string };
  await runProgram(DefaultRuntime, ["delete", "--force", containerId]);
}

/** Removes a container with its volumes, whatever it does. */
export function removeForced(docker: Docker, containerId: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(WORK_MS);
  return allowMissing(docker.getContainer(containerId).remove({ force: true, v: true, abortSignal }));
}

async function isListed(docker: Docker, containerId: string): Promise<boolean> {
  const abortSignal = AbortSignal.timeout(ANSWER_MS);
  const seen = docker.getContainer(containerId).inspect({ abortSignal });
  return seen.then(
    () => true,
    (error) => readFault(error).kind !== "missing",
  );
}
