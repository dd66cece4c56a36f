import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import Docker from "dockerode";
import { pino } from "pino";
import { openEngine } from "../../agent/connect-engine";
import { Keeper, type KeeperOptions, type Kept } from "../../agent/containers/keeper";
import type { Wish, WishedTemplate } from "../../lib/contract/agent-protocol";
import { TEST_IMAGE, type TestEngine } from "../support/test-engine";
import { waitUntil } from "../support/wait-until";

/** A keeper of a test's own over an engine, with a state folder and a log that can be read. */
export class KeeperBench {
  readonly engine: TestEngine;
  readonly docker: Docker;
  /** Its own: engines of tests that run side by side share the machine's ports. */
  readonly ports = aHundredPorts();
  readonly agentId = `agent_${Math.random().toString(36).slice(2, 10)}`;
  keeper!: Keeper;
  folder!: string;
  log = "";
  overrides: Partial<KeeperOptions> = {};

  constructor(engine: TestEngine) {
    this.engine = engine;
    this.docker = openEngine(`unix://${engine.socket}`);
  }

  /** @param overrides hold until `close`, also for the keepers of `restart` */
  async open(overrides: Partial<KeeperOptions> = {}): Promise<this> {
    this.folder = await mkdtemp(join(tmpdir(), "berth-keeper-"));
    this.overrides = overrides;
    this.keeper = new Keeper(this.options());
    return this;
  }

  options(): KeeperOptions {
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      this.log += chunk.toString("utf8");
      done();
    };
    return makeOptions({
      docker: this.docker,
      agentId: this.agentId,
      folder: this.folder,
      log: pino({ level: "debug" }, new Writable({ write })),
      ports: this.ports,
      ...this.overrides,
    });
  }

  /** A new keeper over the same folder, as after a kill -9: the old one does nothing more. */
  async restart(): Promise<void> {
    await this.keeper.stop();
    this.keeper = new Keeper(this.options());
  }

  /** A new keeper over a folder without records. */
  async loseRecords(): Promise<void> {
    await this.keeper.stop();
    await rm(join(this.folder, "instances"), { recursive: true });
    this.keeper = new Keeper(this.options());
  }

  async close(): Promise<void> {
    this.keeper.want([]);
    await waitUntil("everything is removed", async () => this.keeper.kept().length === 0, 60_000);
    await this.keeper.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  seen(instanceId: string): Kept["seen"] | null {
    return this.keeper.kept().find(({ seen }) => seen.instanceId === instanceId)?.seen ?? null;
  }

  /** Waits until an instance is in a state, of a boot where one is named. */
  until(instanceId: string, state: string, boot?: number): Promise<Kept["seen"]> {
    return waitUntil(
      `${instanceId} is ${state}`,
      async () => {
        const seen = this.seen(instanceId);
        return seen?.state === state && (boot === undefined || seen.boot === boot) ? seen : null;
      },
      60_000,
    ).catch((error) => {
      throw new Error(
        `${error.message}; last: ${JSON.stringify(this.seen(instanceId))}; ${this.log.slice(-2000)}`,
      );
    });
  }

  /** What a shell in the instance's container writes, both streams; rejects where it fails. */
  async run(instanceId: string, script: string): Promise<string> {
    const containerId = this.seen(instanceId)?.containerId ?? "";
    return this.engine.podman("exec", containerId, "sh", "-c", `exec 2>&1; ${script}`);
  }

  /** Ids of the containers, networks and volumes on the engine, whosever they are. */
  async everything(): Promise<string[]> {
    const [containers, networks, { Volumes }] = await Promise.all([
      this.docker.listContainers({ all: true }),
      this.docker.listNetworks(),
      this.docker.listVolumes(),
    ]);
    return [
      ...containers.map(({ Names }) => Names.join()),
      ...networks.map(({ Name }) => Name).filter((name) => name !== "podman" && name !== "bridge"),
      ...(Volumes ?? []).map(({ Name }) => Name),
    ];
  }
}

/** Of a machine with 2 GiB of memory, two processors and no GPU, in four slots. */
export function makeOptions(rest: Partial<KeeperOptions> = {}): KeeperOptions {
  return {
    docker: new Docker({ socketPath: "/nowhere" }),
    agentId: "agent_test",
    folder: "/nowhere",
    log: pino({ level: "silent" }),
    ports: { first: 1, last: 1 },
    bind: "0.0.0.0",
    address: "203.0.113.9",
    slots: 4,
    machine: {
      gpus: [],
      cpuName: null,
      vcpu: 2,
      cpuCores: 2,
      cpuFreqGhz: null,
      ramGb: 2,
      diskGb: 10,
      maxCudaVersion: null,
      ethernetInMbps: null,
      ethernetOutMbps: null,
    },
    egress: "open",
    tokenKey: Buffer.alloc(32, 7),
    privateImages: true,
    graceSeconds: 2,
    registryPassword: async () => null,
    ...rest,
  };
}

function aHundredPorts(): { first: number; last: number } {
  const first = 20_000 + Math.floor(Math.random() * 100) * 100;
  return { first, last: first + 99 };
}

/** A wish to run TEST_IMAGE, reached by SSH. */
export function makeWish(
  instanceId: string,
  template: Partial<WishedTemplate> = {},
  rest: Partial<Wish> = {},
): Wish {
  return {
    instanceId,
    slot: 0,
    wanted: "running",
    boot: 1,
    storageGb: 1,
    keys: [],
    template: {
      image: TEST_IMAGE,
      login: null,
      registry: null,
      variables: {},
      command: null,
      ports: {},
      useSsh: true,
      sshUsername: "root",
      useJupyter: false,
      useJupyterLab: false,
      jupyterDirectory: null,
      ...template,
    },
    ...rest,
  };
}
