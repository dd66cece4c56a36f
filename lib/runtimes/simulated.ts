import { createHash } from "node:crypto";
import type { LogLine } from "../contract/agent-protocol";
import { db } from "../db/client";
import { env } from "../env";
import { JUPYTER_PORT, type TemplateSnapshot } from "../instances/snapshot";
import type { Access, ContainerSpec, Observation, Runtime, Stats } from "./runtime";

/** TEST-NET-3 of RFC 5737: an address that is nowhere. */
const ADDRESS = "203.0.113.10";
const FIRST_PORT = 10_000;
const PORTS = 20_000;
/** Images from this registry never pull, so that the error can be seen. */
const FAILING_REGISTRY = "berth.invalid";
const LOOK_AGAIN_MS = 10_000;

interface Seen {
  /** Milliseconds since this boot began, on the database's clock. */
  age: number;
  pull_ms: number;
  boot: number;
  booted_at: Date;
}

/**
 * A labelled stand-in for demo hosts, development and load tests: it boots, logs and loads with the database's clock
 * and runs nothing. Its whole world is the table simulated_container, so any worker can drive it.
 */
export const simulatedRuntime: Runtime = {
  async ensure(spec) {
    if (isFailing(spec.template)) return failedPull(spec.template);
    const seen = await bringUp(spec);
    return seen ? observe(spec, seen) : NOT_WANTED;
  },

  async pause(spec) {
    await db().$executeRaw`
      WITH still AS (SELECT id FROM instance WHERE id = ${spec.instanceId} AND wanted = 'paused' FOR SHARE)
      UPDATE simulated_container c SET paused = true FROM still WHERE c.instance_id = still.id`;
    return { message: "paused (simulated): its disk is kept", againInMs: null };
  },

  async destroy(instanceId) {
    await db().simulatedContainer.deleteMany({ where: { instanceId } });
    return { againInMs: null };
  },
};

/** What a worker gets that comes late; its claim is void by then, so it records nothing. */
const NOT_WANTED: Observation = {
  state: "starting",
  message: "no longer wanted (simulated)",
  access: null,
  stats: null,
  logs: [],
  againInMs: LOOK_AGAIN_MS,
};

/**
 * A container that is paused or of an older boot starts anew; one that runs is only looked at. The share lock on what is
 * wanted keeps a late worker from bringing back what another one has paused or removed since.
 * @returns null where it is no longer wanted to run
 */
async function bringUp({ instanceId, boot }: ContainerSpec): Promise<Seen | null> {
  const { SIMULATED_BOOT_MS } = env();
  const [seen] = await db().$queryRaw<Seen[]>`
    WITH still AS (SELECT id FROM instance WHERE id = ${instanceId} AND wanted = 'running' FOR SHARE)
    INSERT INTO simulated_container AS c (instance_id, boot, booted_at, pull_ms)
    SELECT still.id, ${boot}::int, clock_timestamp(), ${SIMULATED_BOOT_MS}::int FROM still
    ON CONFLICT (instance_id) DO UPDATE SET
      booted_at = CASE WHEN c.paused OR c.boot < ${boot} THEN clock_timestamp() ELSE c.booted_at END,
      pull_ms = CASE WHEN c.paused OR c.boot < ${boot} THEN ${Math.round(SIMULATED_BOOT_MS / 3)} ELSE c.pull_ms END,
      boot = greatest(c.boot, ${boot}), paused = false
    RETURNING extract(epoch FROM clock_timestamp() - booted_at)::float8 * 1000 AS age, pull_ms, boot, booted_at`;
  return seen ?? null;
}

function observe(spec: ContainerSpec, { age, pull_ms: pullMs, booted_at: bootedAt }: Seen): Observation {
  const { template } = spec;
  const left = pullMs - age;
  if (left > 0) {
    const percent = Math.floor((age / pullMs) * 100);
    const pulling = percent < 80;
    return {
      state: pulling ? "pulling" : "starting",
      message: pulling ? `pulling image ${percent} % (simulated)` : "starting (simulated)",
      access: null,
      stats: null,
      logs: [],
      againInMs: Math.max(20, Math.min(left, pullMs / 5)),
    };
  }
  const logs = writeLogs(template, bootedAt, pullMs);
  const exit = /(?:^|[;&\n])\s*exit (\d{1,3})\s*$/.exec(template.command ?? "")?.[1];
  if (exit !== undefined && age > pullMs + 1000) {
    const message = `the container ended by itself with exit code ${exit} (simulated)`;
    return { state: "exited", message, access: null, stats: null, logs, againInMs: LOOK_AGAIN_MS };
  }
  return {
    state: "running",
    message: "running (simulated: nothing real runs here)",
    access: accessTo(spec),
    stats: loadOf(spec.instanceId, age - pullMs),
    logs,
    againInMs: exit === undefined ? LOOK_AGAIN_MS : 1000,
  };
}

function isFailing({ image, registry }: TemplateSnapshot): boolean {
  return registry === FAILING_REGISTRY || image.startsWith(`${FAILING_REGISTRY}/`);
}

function failedPull({ image, imageTag }: TemplateSnapshot): Observation {
  const message = `the image ${image}:${imageTag} could not be pulled: the registry ${FAILING_REGISTRY} does not exist (simulated)`;
  return { state: "failed", message, access: null, stats: null, logs: [], againInMs: 0 };
}

/** A number from 0 up to `below`, the same for the same words. */
function pick(words: string, below: number): number {
  return createHash("sha256").update(words).digest().readUInt32BE() % below;
}

function accessTo({ instanceId, template }: ContainerSpec): Access {
  const portFor = (port: string) => String(FIRST_PORT + pick(`${instanceId}:${port}`, PORTS));
  const guests = [
    ...(template.useSsh ? ["22"] : []),
    ...(template.useJupyter ? [String(JUPYTER_PORT)] : []),
    ...Object.keys(template.ports),
  ];
  const ports = Object.fromEntries(guests.map((port) => [port, portFor(port)]));
  const page = template.useJupyterLab ? "lab" : "tree";
  return {
    address: ADDRESS,
    sshHost: ADDRESS,
    sshPort: Number(portFor("22")),
    ports,
    uiUrl: template.useJupyter ? `http://${ADDRESS}:${ports[String(JUPYTER_PORT)]}/${page}` : null,
  };
}

/** Waves of a few minutes, in another place for every instance. */
function loadOf(instanceId: string, ageMs: number): Stats {
  const seconds = ageMs / 1000;
  const wave = (name: string, low: number, high: number) => {
    const turn = (seconds / 240) * 2 * Math.PI + pick(`${instanceId}:${name}`, 628) / 100;
    return Math.round((low + ((Math.sin(turn) + 1) / 2) * (high - low)) * 10) / 10;
  };
  return {
    gpuUtil: wave("gpu", 55, 99),
    cpuUtil: wave("cpu", 10, 60),
    ramUtil: wave("ram", 20, 45),
    memUtil: wave("mem", 30, 90),
    inetIn: BigInt(Math.floor(seconds * 40_000)),
    inetOut: BigInt(Math.floor(seconds * 9_000)),
  };
}

function writeLogs(
  { image, imageTag, command }: TemplateSnapshot,
  bootedAt: Date,
  pullMs: number,
): LogLine[] {
  const line = (afterMs: number, text: string, next = 0): LogLine => ({
    atNs: String(BigInt(bootedAt.getTime() + afterMs) * 1_000_000n + BigInt(next)),
    stream: "system",
    text: `[simulated] ${text}`,
  });
  return [
    line(0, `pulling ${image}:${imageTag}`),
    line(pullMs, "container started; this host runs nothing real", 1),
    ...(command ? [line(pullMs, "would now run the on-start command", 2)] : []),
  ];
}
