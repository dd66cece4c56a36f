import type Docker from "dockerode";
import type { Logger } from "pino";
import type { Machine, Seen, Wish } from "../../lib/contract/agent-protocol";

export interface KeeperOptions {
  docker: Docker;
  agentId: string;
  /** The agent's state folder, 0700. */
  folder: string;
  log: Logger;
  /** Ports that may be given out, last included; the gateway's own is not in it. */
  ports: { first: number; last: number };
  /** Where ports are bound, such as 0.0.0.0. */
  bind: string;
  /** Where renters are told to go. */
  address: string;
  slots: number;
  machine: Machine;
  egress: "guarded" | "open";
  /** Renters may have images of the machine itself and of registries in its private network. */
  privateImages: boolean;
  /** Name servers of containers; absent: public ones. */
  dns?: string[];
  /** From which Jupyter's tokens are made: 32 random bytes that outlive the process. */
  tokenKey: Buffer;
  /** How long a container may take to end by itself once it is asked to, in seconds; 10 where absent. */
  graceSeconds?: number;
  /** Asked just before a pull that needs it, and kept nowhere. null: there is none any more. */
  registryPassword(instanceId: string): Promise<string | null>;
}

/** What is known of one instance, for reports, the gateway and the observer. */
export interface Kept {
  seen: Omit<Seen, "stats">;
  wish: Wish | null;
  sshPort: number | null;
  /** While it runs; `pid` is that of its first process, as the machine sees it. */
  container: { id: string; pid: number } | null;
}

/** Of containers and networks; by them what is an agent's own is found. */
export const LABELS = {
  agent: "berth.agent",
  instance: "berth.instance",
  slot: "berth.slot",
  /** Only of containers; the engine does not bind that port, so nothing else in them says it. */
  sshPort: "berth.ssh-port",
} as const;
