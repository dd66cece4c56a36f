import { statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import type Docker from "dockerode";
import { cpu, networkInterfaces } from "systeminformation";
import type { Machine } from "@/lib/contract/agent-protocol";
import { readGpus } from "./read-gpus";
import type { RunProgram } from "./run-program";

const GIBIBYTE = 1024 ** 3;

type MeasureOptions = {
  run: RunProgram;
  /** A folder on the disk that containers are stored on, where the engine's own folder cannot be seen. */
  diskPath: string | null;
  docker: Docker;
};

/**
 * This machine as it is now. Every GB is a GiB: RAM and disk in whole ones, rounded down, so that never more is promised
 * than there is; VRAM with one decimal (see DriverAnswer). The network is the default interface's link speed: a real
 * measurement needs a server to measure against. A driver that does not work counts as no GPU here; `selfTest` says why.
 */
export async function measureMachine({ run, diskPath, docker }: MeasureOptions): Promise<Machine> {
  const [{ gpus, maxCudaVersion }, processor, linkMbps, diskGb] = await Promise.all([
    readGpus(run),
    measureCpu(),
    readLinkSpeed(),
    readFreeDisk(docker, diskPath),
  ]);
  return {
    gpus: gpus.slice(0, 64),
    ...processor,
    ramGb: Math.max(1, Math.floor(totalmem() / GIBIBYTE)),
    diskGb,
    maxCudaVersion,
    ethernetInMbps: linkMbps,
    ethernetOutMbps: linkMbps,
  };
}

/** Threads are `vcpu`; the clock is the highest one, where it is known. */
async function measureCpu(): Promise<Pick<Machine, "cpuName" | "vcpu" | "cpuCores" | "cpuFreqGhz">> {
  const found = await cpu();
  const name = [found.manufacturer, found.brand].filter((part) => part !== "").join(" ");
  return {
    cpuName: name === "" ? null : name,
    vcpu: positive(found.cores),
    cpuCores: positive(found.physicalCores),
    cpuFreqGhz: positive(found.speedMax) ?? positive(found.speed),
  };
}

async function readLinkSpeed(): Promise<number | null> {
  const found = await networkInterfaces("default").catch(() => null);
  const one = Array.isArray(found) ? found.find((each) => each.default) : found;
  return positive(one?.speed);
}

/** GiB free where the engine stores, if that is on this machine. */
async function readFreeDisk(docker: Docker, diskPath: string | null): Promise<number> {
  const info: { DockerRootDir?: string } | null = await docker.info().catch(() => null);
  for (const path of [info?.DockerRootDir, diskPath]) {
    const disk = path ? await statfs(path).catch(() => null) : null;
    if (disk) return Math.floor((disk.bavail * disk.bsize) / GIBIBYTE);
  }
  return 0;
}

function positive(value: number | null | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : null;
}
