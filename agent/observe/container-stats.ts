import { totalmem } from "node:os";
import type Docker from "dockerode";
import { z } from "zod";
import type { ContainerStats } from "@/lib/contract/agent-protocol";
import type { GpuLoad } from "./gpu-load";

/** For both calls of a reading: one that waits would keep all reports. */
const ANSWER_MS = 15_000;

/** What is read of `GET /containers/{id}/stats`: nanoseconds and bytes. A stopped container has none of it in Docker. */
const engineStats = z.object({
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }),
  memory_stats: z.object({
    usage: z.number(),
    limit: z.number().optional(),
    /** What of the page cache can be dropped: named so in cgroup v2, and with `total_` in v1. Podman gives neither. */
    stats: z
      .object({ inactive_file: z.number().optional(), total_inactive_file: z.number().optional() })
      .nullish(),
  }),
  networks: z.record(z.string(), z.object({ rx_bytes: z.number(), tx_bytes: z.number() })).nullish(),
});
type EngineStats = z.output<typeof engineStats>;

type Counters = { pid: number; atMs: number; cpuNs: number; rxBytes: number; txBytes: number };
/** `earlier`: bytes of the container's lives before this one; its counters begin anew when it is started. */
type Kept = { last: Counters; earlierRxBytes: number; earlierTxBytes: number };

/**
 * The slot that a container has: `cpus` may be a fraction, `gpuUuids` are those of `measureMachine`. `pid` is that of
 * its first process, by which its runs are told apart.
 */
export type ObservedContainer = {
  id: string;
  pid: number;
  instanceId: string;
  gpuUuids: string[];
  cpus: number;
};

/** Turns the engine's counters into the load since the reading before, one instance at a time. */
export class StatsReader {
  readonly #docker: Docker;
  readonly #gpuLoad: GpuLoad;
  readonly #kept = new Map<string, Kept>();

  constructor({ docker, gpuLoad }: { docker: Docker; gpuLoad: GpuLoad }) {
    this.#docker = docker;
    this.#gpuLoad = gpuLoad;
  }

  /** Percent with one decimal; bytes since this agent first read it. Null where it does not run, and at the first reading. */
  async read(container: ObservedContainer): Promise<ContainerStats | null> {
    const stats = await this.#ask(container);
    if (stats === null) return null;
    const before = this.#kept.get(container.instanceId);
    const now = countersOf(stats, container.pid, before?.last);
    const kept =
      before === undefined ? { last: now, earlierRxBytes: 0, earlierTxBytes: 0 } : carry(before, now);
    this.#kept.set(container.instanceId, kept);
    if (before === undefined) return null;
    return {
      ...(await this.#gpus(container.gpuUuids)),
      cpuUtil: percent(cpuShare(before.last, now) / container.cpus),
      ramUtil: percent(ramShare(stats.memory_stats)),
      inetIn: kept.earlierRxBytes + now.rxBytes,
      inetOut: kept.earlierTxBytes + now.txBytes,
    };
  }

  forget(instanceId: string): void {
    this.#kept.delete(instanceId);
  }

  /** Null also where another run has begun meanwhile: nobody could say of which one the counters are. */
  async #ask({ id, pid }: ObservedContainer): Promise<EngineStats | null> {
    const container = this.#docker.getContainer(id);
    const abortSignal = AbortSignal.timeout(ANSWER_MS);
    const once = { stream: false as const, "one-shot": true, abortSignal };
    const answer = await container.stats(once).catch(() => null);
    const info = await container.inspect({ abortSignal }).catch(() => null);
    if (info?.State.Pid !== pid) return null;
    const stats = engineStats.safeParse(answer).data ?? null;
    const whole = stats?.networks?.network;
    if (whole && (await this.#swapsTraffic()))
      return { ...stats, networks: { network: { rx_bytes: whole.tx_bytes, tx_bytes: whole.rx_bytes } } };
    return stats;
  }

  /**
   * Podman before 4.4 gives what went out as what came in (containers/podman#16618). Before 5 its only key is "network",
   * so that no other engine is asked.
   */
  async #swapsTraffic(): Promise<boolean> {
    const version = await this.#docker.version().catch(() => null);
    const podman = version?.Components?.find(({ Name }) => Name === "Podman Engine");
    const [major = 0, minor = 0] = (podman?.Version ?? "").split(".").map(Number);
    return podman !== undefined && (major < 4 || (major === 4 && minor < 4));
  }

  async #gpus(uuids: readonly string[]): Promise<Pick<ContainerStats, "gpuUtil" | "memUtil">> {
    if (uuids.length === 0) return { gpuUtil: 0, memUtil: 0 };
    const loads = await this.#gpuLoad.read();
    const mean = (of: "gpuUtil" | "memUtil") =>
      uuids.reduce((sum, uuid) => sum + (loads.get(uuid)?.[of] ?? 0), 0) / uuids.length;
    return { gpuUtil: percent(mean("gpuUtil") / 100), memUtil: percent(mean("memUtil") / 100) };
  }
}

/** An engine that says nothing of networks, as while one is made, has counted no less than before. */
function countersOf(stats: EngineStats, pid: number, last: Counters | undefined): Counters {
  const networks = Object.values(stats.networks ?? {});
  const silent = networks.length === 0 && last?.pid === pid;
  return {
    pid,
    atMs: performance.now(),
    cpuNs: stats.cpu_stats.cpu_usage.total_usage,
    rxBytes: silent ? last.rxBytes : networks.reduce((sum, network) => sum + network.rx_bytes, 0),
    txBytes: silent ? last.txBytes : networks.reduce((sum, network) => sum + network.tx_bytes, 0),
  };
}

function carry({ last, earlierRxBytes, earlierTxBytes }: Kept, now: Counters): Kept {
  if (!countsAnew(last, now)) return { last: now, earlierRxBytes, earlierTxBytes };
  return {
    last: now,
    earlierRxBytes: earlierRxBytes + last.rxBytes,
    earlierTxBytes: earlierTxBytes + last.txBytes,
  };
}

/** In another run, and where a network is made anew within one. */
function countsAnew(last: Counters, now: Counters): boolean {
  return now.pid !== last.pid || now.rxBytes < last.rxBytes || now.txBytes < last.txBytes;
}

/** CPUs that were busy on average. */
function cpuShare(last: Counters, now: Counters): number {
  const busyNs = now.pid === last.pid ? now.cpuNs - last.cpuNs : now.cpuNs;
  return busyNs / 1e6 / Math.max(1, now.atMs - last.atMs);
}

/** Without the page cache that the kernel gives back; a container without a limit has the machine's memory. */
function ramShare({ usage, limit, stats }: EngineStats["memory_stats"]): number {
  const reclaimable = stats?.total_inactive_file ?? stats?.inactive_file ?? 0;
  const most = limit !== undefined && limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return (usage - reclaimable) / most;
}

function percent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}
