import { createHash } from "node:crypto";
import type { ContainerCreateOptions, HostConfig } from "dockerode";
import type { Machine, Wish } from "../../lib/contract/agent-protocol";
import { giveGpus, gpusOf, sayGpus } from "./give-gpus";
import { type KeeperOptions, LABELS } from "./keeper-options";
import { type Launch, listPorts } from "./launch";
import type { RunRecord } from "./run-record";

const GIBIBYTE = 1024 ** 3;
/** Of the machine's memory, for the system, the engine and the agent. */
const SYSTEM_SHARE = 0.05;
const MOST_SYSTEM_GIB = 2;
const MOST_PROCESSES = 4096;
const DEFAULT_DNS = ["1.1.1.1", "9.9.9.9"];

/** What root in a container needs to install packages, serve ports and become another user; no raw sockets, no mounts. */
const CAPABILITIES = [
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "SETGID",
  "SETUID",
  "NET_BIND_SERVICE",
];

/** What an engine may be unable to do, found out by its refusal. */
export interface EngineLimits {
  takesDiskSize: boolean;
  takesSwapLimit: boolean;
}

/** A container's and its network's name: a create that is repeated finds the first one's. */
export function nameOf(instanceId: string): string {
  return `berth-${instanceId.replace(/[^A-Za-z0-9_.-]/g, "-")}`;
}

/** At most 15 characters, the kernel's limit; all begin alike, so that one set of rules holds for all. */
export function bridgeOf(instanceId: string): string {
  return `bth-${createHash("sha256").update(instanceId).digest("hex").slice(0, 11)}`;
}

/** Labels of what belongs to an instance. */
export function labelsOf(agentId: string, wish: Wish): Record<string, string> {
  return { [LABELS.agent]: agentId, [LABELS.instance]: wish.instanceId, [LABELS.slot]: String(wish.slot) };
}

/**
 * The create call of an instance's container.
 * @throws Refused where a GPU of its slot is gone
 */
export function planContainer(
  options: KeeperOptions,
  limits: EngineLimits,
  wish: Wish,
  record: RunRecord,
  launch: Launch,
  imageId: string,
): ContainerCreateOptions {
  const protocols = listPorts(wish.template);
  // Podman 4 takes "0.0.0.0" for an address that packets have to carry.
  const hostIp = ["0.0.0.0", "::"].includes(options.bind) ? "" : options.bind;
  const bound = Object.entries(record.ports).map(([guest, port]) => ({
    guest: `${guest}/${protocols[guest] ?? "tcp"}`,
    port,
  }));
  return {
    name: nameOf(wish.instanceId),
    Image: imageId,
    Hostname: wish.instanceId.replace(/[^A-Za-z0-9-]/g, "-").slice(0, 63),
    Labels: {
      ...labelsOf(options.agentId, wish),
      ...(record.sshPort === null ? {} : { [LABELS.sshPort]: String(record.sshPort) }),
    },
    ...launch,
    Env: sayGpus(launch.Env, options.machine, gpusOf(options.machine, options.slots, wish.slot)),
    ExposedPorts: Object.fromEntries(bound.map(({ guest }) => [guest, {}])),
    HostConfig: {
      ...isolate(),
      ...share(options.machine, options.slots, wish, limits),
      NetworkMode: nameOf(wish.instanceId),
      Dns: options.dns ?? DEFAULT_DNS,
      PortBindings: Object.fromEntries(
        bound.map(({ guest, port }) => [guest, [{ HostIp: hostIp, HostPort: String(port) }]]),
      ),
      LogConfig: { Type: "json-file", Config: { "max-size": "10m" } },
    },
  };
}

/** A renter is root in a container, and nobody outside it. */
function isolate(): HostConfig {
  return {
    Privileged: false,
    CapDrop: ["ALL"],
    CapAdd: CAPABILITIES,
    SecurityOpt: ["no-new-privileges"],
    RestartPolicy: { Name: "no" },
    PidsLimit: MOST_PROCESSES,
    IpcMode: "private",
  };
}

/** A slot's part of the machine. */
function share(machine: Machine, slots: number, wish: Wish, limits: EngineLimits): HostConfig {
  const system = Math.min(machine.ramGb * SYSTEM_SHARE, MOST_SYSTEM_GIB);
  const memory = Math.floor(((machine.ramGb - system) / slots) * GIBIBYTE);
  const gpus = gpusOf(machine, slots, wish.slot);
  return {
    Memory: memory,
    ...(limits.takesSwapLimit ? { MemorySwap: memory } : {}),
    // Programs for several GPUs share memory by it; what is in it counts as the container's memory.
    ShmSize: Math.floor(memory / 2),
    ...(machine.vcpu === null ? {} : { NanoCpus: Math.floor((machine.vcpu / slots) * 1000) * 1_000_000 }),
    ...(limits.takesDiskSize ? { StorageOpt: { size: `${Math.ceil(wish.storageGb)}G` } } : {}),
    ...giveGpus(gpus, gpus.length === machine.gpus.length),
  };
}
