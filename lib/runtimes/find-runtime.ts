import { dockerRuntime } from "./docker";
import type { Runtime } from "./runtime";
import { simulatedRuntime } from "./simulated";

const runtimes: Readonly<Record<string, Runtime>> = { docker: dockerRuntime, simulated: simulatedRuntime };

/** The runtime of that name, as it stands on an instance. */
export function findRuntime(name: string): Runtime {
  const runtime = runtimes[name];
  if (!runtime) throw new Error(`no runtime ${name} on this node`);
  return runtime;
}
