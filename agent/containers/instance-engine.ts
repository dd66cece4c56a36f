import type { ContainerInspectInfo } from "dockerode";
import type { Wish } from "../../lib/contract/agent-protocol";
import type { SeenContainer } from "./decide-step";
import { ANSWER_MS, allowMissing, readFault, WORK_MS } from "./engine-fault";
import { type KeeperOptions, LABELS } from "./keeper-options";
import type { Launch } from "./launch";
import { bridgeOf, type EngineLimits, labelsOf, nameOf, planContainer } from "./plan-container";
import type { PodmanLeftovers } from "./podman-leftovers";
import type { RunRecord } from "./run-record";

const DEFAULT_GRACE_SECONDS = 10;
/** Podman is stopping what runs yet, for good where it was killed over it: it starts no such one, and stops it again. */
const NOT_ENDED = /^(?:running|paused|stopping)$/;

/** Something else on this engine has the name that an instance's container or network would have. */
export class NameTakenError extends Error {
  override readonly name = "NameTakenError";
}

export interface FoundContainer extends SeenContainer {
  /** Container port → port of the machine, as the container was made. */
  ports: Record<string, number>;
  sshPort: number | null;
}

/** The engine's calls for one instance. Each may be repeated; each rejects as dockerode does. */
export class InstanceEngine {
  readonly #options: KeeperOptions;
  readonly #limits: EngineLimits;
  readonly #leftovers: PodmanLeftovers;
  readonly #instanceId: string;

  constructor(options: KeeperOptions, limits: EngineLimits, leftovers: PodmanLeftovers, instanceId: string) {
    this.#options = options;
    this.#limits = limits;
    this.#leftovers = leftovers;
    this.#instanceId = instanceId;
  }

  /** @throws NameTakenError where the container of that name is not this agent's */
  async find(): Promise<FoundContainer | null> {
    try {
      const info = await this.#container().inspect({ abortSignal: AbortSignal.timeout(ANSWER_MS) });
      if (!this.#isOwn(info.Config.Labels)) {
        throw new NameTakenError(
          `A container ${nameOf(this.#instanceId)} is on this machine and is not this agent's: remove it.`,
        );
      }
      this.#leftovers.noteMade(nameOf(this.#instanceId));
      return describe(info);
    } catch (error) {
      if (!(error instanceof NameTakenError) && readFault(error).kind === "missing") return null;
      throw error;
    }
  }

  /** Makes network and container where they are not there; a container that is there is left as it is. */
  async create(wish: Wish, record: RunRecord, launch: Launch, imageId: string): Promise<void> {
    await this.#makeNetwork(wish);
    for (;;) {
      try {
        await this.#leftovers.create(
          planContainer(this.#options, this.#limits, wish, record, launch, imageId),
        );
        return;
      } catch (error) {
        const fault = readFault(error);
        if (fault.kind === "conflict") return; // looked at next, and known by its labels
        if (!this.#lowerLimits(fault.words)) throw error;
      }
    }
  }

  /** Where the engine refuses, once more with nothing of a former start in its way. */
  async start(): Promise<void> {
    const start = () =>
      allowMissing(this.#container().start({ abortSignal: AbortSignal.timeout(WORK_MS) }), [304]);
    try {
      await start();
    } catch (error) {
      const container = readFault(error).kind === "broken" ? await this.find() : null;
      if (!container || container.isRunning) throw error;
      await this.#leftovers.clearStart(container.id);
      await start();
    }
  }

  /** Asks the container to end, and after a grace ends it. `signal` only stops the waiting. */
  async stop(isFrozen: boolean, signal: AbortSignal): Promise<void> {
    if (isFrozen) await this.thaw();
    const grace = this.#options.graceSeconds ?? DEFAULT_GRACE_SECONDS;
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(grace * 1000 + WORK_MS)]);
    await allowMissing(this.#container().stop({ t: grace, abortSignal }));
  }

  thaw(): Promise<unknown> {
    return this.#container().unpause({ abortSignal: AbortSignal.timeout(ANSWER_MS) });
  }

  /** Removes the container with its volumes, and leaves the network. */
  async removeContainer(): Promise<void> {
    const { docker, agentId } = this.#options;
    const filters = { label: [`${LABELS.agent}=${agentId}`, `${LABELS.instance}=${this.#instanceId}`] };
    const abortSignal = AbortSignal.timeout(ANSWER_MS);
    for (const { Id, State } of await docker.listContainers({ all: true, filters, abortSignal })) {
      if (State === "paused") {
        // Podman kills no frozen one.
        const container = docker.getContainer(Id);
        await container.unpause({ abortSignal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
      }
      await this.#leftovers.remove(Id, NOT_ENDED.test(State));
    }
    await this.#leftovers.clearCreate(nameOf(this.#instanceId));
  }

  async removeNetwork(): Promise<void> {
    const found = await this.#findNetwork();
    if (!found) return;
    const abortSignal = AbortSignal.timeout(WORK_MS);
    await allowMissing(this.#options.docker.getNetwork(found.Id).remove({ abortSignal }));
  }

  #container() {
    return this.#options.docker.getContainer(nameOf(this.#instanceId));
  }

  #isOwn(labels: Record<string, string> | undefined): boolean {
    return labels?.[LABELS.agent] === this.#options.agentId && labels[LABELS.instance] === this.#instanceId;
  }

  /** Docker lets two networks have one name: only those with this instance's labels count. */
  async #findNetwork() {
    const { docker, agentId } = this.#options;
    const filters = { label: [`${LABELS.agent}=${agentId}`, `${LABELS.instance}=${this.#instanceId}`] };
    const [first] = await docker.listNetworks({ filters, abortSignal: AbortSignal.timeout(ANSWER_MS) });
    return first ?? null;
  }

  async #makeNetwork(wish: Wish): Promise<void> {
    if (await this.#findNetwork()) return;
    try {
      await this.#options.docker.createNetwork({
        Name: nameOf(wish.instanceId),
        Driver: "bridge",
        CheckDuplicate: true,
        Labels: labelsOf(this.#options.agentId, wish),
        Options: { "com.docker.network.bridge.name": bridgeOf(wish.instanceId) },
        abortSignal: AbortSignal.timeout(WORK_MS),
      });
    } catch (error) {
      if (readFault(error).kind !== "conflict") throw error;
      if (await this.#findNetwork()) return;
      throw new NameTakenError(
        `A network ${nameOf(wish.instanceId)} is on this machine and is not this agent's: remove it.`,
      );
    }
  }

  /** Whether the engine refused a limit that it cannot set, which is then asked for no more. */
  #lowerLimits(words: string): boolean {
    const limits = this.#limits;
    const isSize = limits.takesDiskSize && /storage|quota|\bsize\b/i.test(words);
    const isSwap = limits.takesSwapLimit && /swap/i.test(words);
    if (isSize) {
      limits.takesDiskSize = false;
      this.#options.log.warn(
        { engine: words },
        "this engine cannot limit the disk of a container, so a renter can fill the machine's: keep its storage on a file system of its own, or use overlay2 on XFS with pquota",
      );
    }
    if (isSwap) limits.takesSwapLimit = false;
    return isSize || isSwap;
  }
}

function describe({ Id, State, HostConfig, Config }: ContainerInspectInfo): FoundContainer {
  const neverRan = !State.StartedAt || State.StartedAt.startsWith("0001-");
  const bindings: Record<string, { HostPort?: string }[] | null> = HostConfig.PortBindings ?? {};
  const ports = Object.entries(bindings).flatMap(([guest, hosts]) => {
    const port = Number(hosts?.[0]?.HostPort);
    return port > 0 ? [[guest.split("/")[0] ?? guest, port] as const] : [];
  });
  return {
    id: Id,
    pid: State.Pid,
    isRunning: State.Running || NOT_ENDED.test(State.Status),
    isFrozen: State.Paused,
    startedAt: neverRan ? null : State.StartedAt,
    finishedAtMs: Date.parse(State.FinishedAt) || 0,
    exitCode: State.ExitCode,
    wasOutOfMemory: State.OOMKilled,
    ports: Object.fromEntries(ports),
    sshPort: Number(Config.Labels?.[LABELS.sshPort]) || null,
  };
}
