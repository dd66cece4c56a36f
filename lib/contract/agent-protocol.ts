import ipaddr from "ipaddr.js";
import { z } from "zod";

/**
 * What berth-agent and the control plane say to each other under /agent. Not part of the public contract: both ends are
 * of one version of this program, or of two next to each other.
 *
 * The agent dials out. `POST /agent/join` registers it, `GET /agent/wishes` is a long poll for what is wanted, `POST
 * /agent/report` says what it sees. All of it is level-triggered: each answer is the whole truth, and may be repeated.
 */
export const AGENT_PROTOCOL = 1;

const port = z.number().int().min(1).max(65_535);
/** PostgreSQL stores neither U+0000 nor half a surrogate pair. */
const words = (longest: number) =>
  z.string().transform((text) => text.slice(0, longest).replace(/\0|\p{Surrogate}/gu, "\uFFFD"));

/** What a lying agent may not overflow a column or a bill with. */
const amount = z.number().positive().max(1e9);
const address = z
  .string()
  .max(253)
  .refine(
    (text) =>
      (ipaddr.IPv6.isValid(text) && !text.includes("%")) ||
      /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text),
    "Must be a host name or an IP address",
  );

/** One GPU as its driver names it. */
export const machineGpu = z.object({
  /** The driver's own id, by which a container gets it. */
  uuid: words(100),
  vendor: z.enum(["NVIDIA", "AMD"]),
  name: words(200),
  vramGb: amount,
});
export type MachineGpu = z.output<typeof machineGpu>;

/** A machine as it was measured; null where it could not be. Units as in an offer. */
export const machine = z.object({
  gpus: z.array(machineGpu).max(64),
  cpuName: words(200).nullable(),
  vcpu: amount.nullable(),
  cpuCores: amount.nullable(),
  cpuFreqGhz: amount.nullable(),
  ramGb: amount,
  /** Free for containers. */
  diskGb: z.number().nonnegative().max(1e9),
  /** The newest that the driver takes. */
  maxCudaVersion: amount.nullable(),
  ethernetInMbps: amount.nullable(),
  ethernetOutMbps: amount.nullable(),
});
export type Machine = z.output<typeof machine>;

/** Why a machine cannot be rented; each with a sentence on what to do. */
export const selfTestCodes = [
  "engine_cannot_run",
  "engine_not_isolated",
  "disk_too_small",
  "memory_too_small",
  "gpu_driver_broken",
  "gpu_not_in_containers",
  "gpus_mixed",
  "gpu_unknown",
  "slots_uneven",
  "cpu_only",
  "egress_open",
] as const;
export const selfTestFailure = z.object({ code: z.enum(selfTestCodes), detail: words(500) });
export type SelfTestFailure = z.output<typeof selfTestFailure>;

/** A first join carries a host token; a later one the agent's own secret, as every other call, in `Authorization`. */
export const joinBody = z
  .object({
    protocol: z.literal(AGENT_PROTOCOL),
    token: z.string().max(200).nullable(),
    /** Where renters reach it; null: the address that the call came from. */
    address: address.nullable(),
    /** Of its gateway, which proves that the address is its own. */
    port,
    firstPort: port,
    lastPort: port,
    fingerprint: words(100),
    /** Into how many offers it is split. */
    slots: z.number().int().min(1).max(64),
    /** USD an hour for a slot, and a GB and month, for hosts that have no price yet. */
    price: z.number().min(0.000001).max(10_000).nullable(),
    diskPrice: z.number().nonnegative().max(10_000).nullable(),
    place: z.object({
      city: words(100).nullable(),
      country: words(100).nullable(),
      region: words(100).nullable(),
    }),
    engine: words(200),
    egressGuarded: z.boolean(),
    machine,
    failures: z.array(selfTestFailure).max(20),
  })
  .refine(({ firstPort, lastPort }) => firstPort <= lastPort, {
    path: ["lastPort"],
    message: "Must not be below firstPort",
  });
export type JoinBody = z.output<typeof joinBody>;

export const joinAnswer = z.object({
  agentId: z.string(),
  /** Only of a first join. */
  secret: z.string().nullable(),
  /** Where renters are told to go. */
  address: z.string(),
  hosts: z.array(
    z.object({ hostId: z.string(), slot: z.number().int(), statusReason: z.string().nullable() }),
  ),
  /** What keeps the machine off the market, in words for its owner. */
  problems: z.array(z.string()),
});
export type JoinAnswer = z.output<typeof joinAnswer>;

/** What a container is made from. The registry's password is not in it: see `/agent/registry-password`. */
export const wishedTemplate = z.object({
  /** With registry, by tag or digest. */
  image: z.string(),
  /** The registry takes a user name, and a password that is asked for when the image is pulled. */
  login: z.string().nullable(),
  registry: z.string().nullable(),
  variables: z.record(z.string(), z.string()),
  command: z.string().nullable(),
  ports: z.record(z.string(), z.enum(["tcp", "udp"])),
  useSsh: z.boolean(),
  sshUsername: z.string(),
  useJupyter: z.boolean(),
  useJupyterLab: z.boolean(),
  jupyterDirectory: z.string().nullable(),
});
export type WishedTemplate = z.output<typeof wishedTemplate>;

/** An instance as it is wanted on this machine. What the agent finds beside the wishes, nobody wants. */
export const wish = z.object({
  instanceId: z.string(),
  slot: z.number().int(),
  wanted: z.enum(["running", "paused", "destroyed"]),
  /** Counts the reboots, and the starts after a pause; a container of an older boot is stopped and started again. */
  boot: z.number().int(),
  storageGb: z.number(),
  template: wishedTemplate,
  /** OpenSSH public key lines that are let in. */
  keys: z.array(z.string()),
});
export type Wish = z.output<typeof wish>;

/** What a call without input takes. */
export const nothing = z.object({});

export const wishesQuery = z.object({
  /** The `revision` that the agent has: the answer waits until there is another. */
  have: z.string().max(100).optional(),
  /** Seconds to wait at most. */
  wait: z.coerce.number().min(0).max(30).default(0),
});

export const wishesAnswer = z.object({ revision: z.string(), wishes: z.array(wish) });
export type WishesAnswer = z.output<typeof wishesAnswer>;

export const keysAnswer = z.object({ keys: z.array(z.string()) });
export const registryPasswordAnswer = z.object({ password: z.string().nullable() });

export const seenStates = ["pulling", "starting", "running", "stopped", "exited", "failed", "gone"] as const;

export const containerStats = z.object({
  gpuUtil: z.number().min(0).max(100),
  cpuUtil: z.number().min(0).max(100),
  ramUtil: z.number().min(0).max(100),
  memUtil: z.number().min(0).max(100),
  inetIn: z.number().int().nonnegative(),
  inetOut: z.number().int().nonnegative(),
});
export type ContainerStats = z.output<typeof containerStats>;

export const MOST_LOG_LINES = 2000;
export const LONGEST_LOG_LINE = 4000;
export const logLine = z.object({
  /** Nanoseconds since 1970 in decimal; grows with each line of an instance. */
  atNs: z.string().regex(/^\d{1,19}$/),
  stream: z.enum(["stdout", "stderr", "system"]),
  text: words(LONGEST_LOG_LINE),
});
export type LogLine = z.output<typeof logLine>;

/**
 * What the agent sees of an instance. `stopped`: ended because that was wanted; `exited`: by itself; `failed`: cannot be
 * made; `gone`: neither container nor volume nor network is left, said until it is wanted no more.
 */
export const seen = z.object({
  instanceId: words(100),
  boot: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  state: z.enum(seenStates),
  /** In words, for people: "pulling image 40 %". */
  message: words(500),
  containerId: words(100).nullable(),
  address: words(253).nullable(),
  sshPort: port.nullable(),
  /** Container port → port of the machine, of its own range; others are not told to renters. */
  ports: z.record(words(100), words(100)),
  /** On the machine's own address and a port of its range. */
  uiUrl: words(1000).nullable(),
  stats: containerStats.nullable(),
});
export type Seen = z.output<typeof seen>;

export const reportBody = z.object({
  /**
   * Grows with each report from a join on. One that comes after a newer one, because an answer was not waited for, is
   * passed over: it must not bring back what has ended.
   */
  number: z.number().int().nonnegative().optional(),
  engineAvailable: z.boolean(),
  seen: z.array(seen).max(256),
  /** New lines by instance, oldest first. */
  logs: z.record(words(100), z.array(logLine).max(MOST_LOG_LINES)),
});
export type ReportBody = z.output<typeof reportBody>;

/** The newest line that is kept of each instance, in nanoseconds: the agent sends what came after it. */
export const reportAnswer = z.object({ logsUntil: z.record(z.string(), z.string()) });

export const rotateAnswer = z.object({ secret: z.string() });
