import type { LogLine } from "../contract/agent-protocol";
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
  /** Its lines so far, oldest first; those that are kept already may come again. */
  logs: LogLine[];
  /** When to look again. */
  againInMs: number;
}

export interface Access {
  address: string;
  sshHost: string;
  sshPort: number | null;
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
  /** Stops its tasks and keeps its disk. `againInMs`: when to look again; null once it is done. */
  pause(spec: ContainerSpec): Promise<{ message: string; againInMs: number | null }>;
  /** Removes container and data. `againInMs`: when to look again; null once both are gone. */
  destroy(instanceId: string): Promise<{ againInMs: number | null }>;
}
