import type { TemplateSnapshot } from "../instances/snapshot";

/** A container as it is wanted. It is found again by the instance's id, so that nothing is started twice. */
export interface ContainerSpec {
  instanceId: string;
  /** Counts the boots: a container of an older boot is rebooted to this one. */
  boot: number;
  template: TemplateSnapshot;
  storageGb: number;
}

/** What a runtime sees of a container. */
export interface Observation {
  state: "pulling" | "starting" | "running" | "exited" | "failed";
  /** In words, for people. */
  message: string;
  /** How to reach it, once it runs. */
  access: Access | null;
  stats: Stats | null;
  logs: string;
  /** When to look again. */
  againInMs: number;
}

export interface Access {
  address: string;
  sshHost: string;
  sshPort: number;
  /** Container port → port on `address`. */
  ports: Record<string, string>;
  uiUrl: string | null;
}

/** Utilisation in per cent, traffic in bytes. */
export interface Stats {
  gpuUtil: number;
  cpuUtil: number;
  ramUtil: number;
  memUtil: number;
  inetIn: bigint;
  inetOut: bigint;
}

/** What runs containers. Every call may be repeated, and may come again after a worker was killed in the middle. */
export interface Runtime {
  /** Brings the container to its boot, running, and says how far it is. */
  ensure(spec: ContainerSpec): Promise<Observation>;
  /** Stops its tasks and keeps its disk. */
  pause(spec: ContainerSpec): Promise<{ message: string }>;
  /** Removes container and data. Returns when both are gone. */
  destroy(instanceId: string): Promise<void>;
}
