import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { StartupError } from "../../db/startup-error";
import type { Stop } from "./lifecycle";
import type { ListenAddress } from "./listen";

/** A process that dies is made again, but not in a rush, … */
const AGAIN_MS = 1_000;
/** … and not for ever where it never serves. */
const TRIES = 10;
/** What tells a web process to stop. A signal would: but a terminal sends one too, and a second one is not waited for. */
const STOP = "stop";

interface Forks {
  address: ListenAddress;
  stop: Stop;
}

interface Wish {
  count: number;
  host: string;
  /** What they differ by from this process. */
  env: Record<string, string>;
  log: Logger;
  /** Called where one could not be made again. */
  lost: (reason: string) => void;
}

/**
 * Forks processes that serve this node's port together, each with the whole program and an index of its own; the system's
 * new connections go to one after the other. Returns when all of them listen. One that dies later is made again.
 * @throws StartupError where one ends before it listens; its own last words say why
 */
export async function startWebProcesses({ count, host, env, log, lost }: Wish): Promise<Forks> {
  let stopping = false;
  const timers = new Set<NodeJS.Timeout>();
  // They get a terminal's signal too, and end by it before `stop` is called.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      stopping = true;
    });
  }

  /** @returns the port, once it listens */
  function make(): Promise<number> {
    return new Promise((resolve, reject) => {
      const fork = cluster.fork({ ...env, BERTH_WEB_PROCESS: "1" });
      let [listened, over] = [false, false];
      const end = (how: object) => {
        if (over) return;
        over = true;
        if (!stopping) log.error({ fork: fork.process.pid, ...how }, "a web process died");
        if (listened) makeAgain(TRIES);
        else reject(new StartupError("A web process ended before it served, for the reason above."));
      };
      fork.once("exit", (code, signal) => end({ code, signal }));
      // A message that came too late, or a process that the system has no room for.
      fork.on("error", (error) => {
        if (isOver(fork)) end({ err: error });
      });
      fork.once("listening", ({ port }) => {
        listened = true;
        resolve(port);
      });
    });
  }

  function makeAgain(tries: number): void {
    if (stopping) return;
    if (tries === 0) {
      lost("a web process ended before it served, again and again");
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!stopping) make().catch(() => makeAgain(tries - 1));
    }, AGAIN_MS);
    timers.add(timer);
  }

  async function stop(force: AbortSignal): Promise<void> {
    stopping = true;
    for (const timer of timers) clearTimeout(timer);
    const forks = Object.values(cluster.workers ?? {}).filter((fork) => fork !== undefined && !isOver(fork));
    const kill = () => {
      for (const fork of forks) fork?.process.kill("SIGKILL");
    };
    const ended = forks.map((fork) => new Promise((resolve) => fork?.once("exit", resolve)));
    for (const fork of forks) fork?.send(STOP);
    if (force.aborted) kill();
    force.addEventListener("abort", kill, { once: true });
    await Promise.all(ended);
  }

  try {
    const ports = await Promise.all(Array.from({ length: count }, make));
    return { address: { host, port: ports[0] ?? 0 }, stop };
  } catch (error) {
    await stop(AbortSignal.abort());
    throw error;
  }
}

/** In a web process: calls back when the one that forked it wants it to stop. */
export function onStopMessage(stop: () => void): void {
  process.on("message", (message) => {
    if (message === STOP) stop();
  });
}

function isOver(fork: Worker): boolean {
  return fork.process.pid === undefined || fork.isDead();
}
