import type Docker from "dockerode";
import type { Logger } from "pino";

/** One instance's way in: a port of the machine that leads into its container. */
export interface Door {
  instanceId: string;
  port: number;
  /** The only user name that is let in; the user inside the container too. */
  username: string;
  /** null while no container runs. pid: of the container's first process on this machine, 0 where the engine is elsewhere. */
  container(): DoorContainer | null;
  /** OpenSSH public key lines, asked for at every login, so that attaching and detaching act at once. */
  keys(): Promise<string[]>;
}

export interface DoorContainer {
  id: string;
  pid: number;
}

export interface GatewayOptions {
  docker: Docker;
  /** OpenSSH or PEM private key. */
  hostKey: string;
  /** The address that ports are opened on. */
  host: string;
  /** 0700 and empty: where the processes that reach into containers' networks stand. */
  folder: string;
  log: Logger;
}

export const NOT_RUNNING =
  "The instance is not running: it is paused, starting, or its container has ended. Start it, and connect again.";
