import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import type { Logger } from "pino";
import type { Machine } from "../lib/contract/agent-protocol";
import { makeAlarm } from "../lib/kernel/alarm";
import type { AgentConfig } from "./config";
import { connectEngine, nameEngine } from "./connect-engine";
import { setUpEgress } from "./containers/egress";
import { Keeper } from "./containers/keeper";
import { ControlPlane } from "./control-plane";
import { Gateway } from "./gateway/gateway";
import { describeJoin, describeMachine, joinMarket, keepJoining } from "./join-market";
import { StatsReader } from "./observe/container-stats";
import { GpuLoad } from "./observe/gpu-load";
import { LogCollector } from "./observe/log-collector";
import { measureMachine } from "./probe/measure-machine";
import { programRunner } from "./probe/run-program";
import { selfTest } from "./probe/self-test";
import { StartError } from "./start-error";
import { openStateFolder, type StateFolder } from "./state-folder";
import { SyncLoop, type SyncParts } from "./sync-loop";

const ROTATE_EVERY_MS = 24 * 3_600_000;

export interface RunningAgent {
  /** What its owner should read, line by line. */
  greeting: string[];
  /** Ends the agent and closes its gateway; what it runs goes on. */
  stop(): Promise<void>;
}

interface Start {
  config: AgentConfig;
  state: StateFolder;
  log: Logger;
  onDismissed: (reason: string) => void;
}

/**
 * Starts an agent: opens the gateway, joins the market, and keeps on bringing what is here to what is wanted. Returns once
 * it has joined; where the market does not answer, it goes on with what was wanted last, and tries again.
 * @param onDismissed called where the market does not know this agent any more
 * @throws StartError for what its owner has to mend
 */
export async function runAgent(
  config: AgentConfig,
  log: Logger,
  onDismissed: (reason: string) => void,
): Promise<RunningAgent> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const state = await openStateFolder(config.dataDir);
    stops.push(() => state.release());
    return { greeting: await start({ config, state, log, onDismissed }, stops), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(given: Start, stops: (() => Promise<void> | void)[]): Promise<string[]> {
  const { config, state, log } = given;
  const docker = await connectEngine(config.engine, config.runtimeDir);
  const run = programRunner();
  const machine = await measureMachine({ run, diskPath: config.dataDir, docker });
  const gateway = await openGateway(config, state, docker, log);
  stops.push(() => gateway.stop());
  const egressGuarded = config.egress === "guarded" && (await isGuarded(docker, log));
  const failures = await selfTest({ run, docker, machine, slots: config.split });
  const engine = await nameEngine(docker);
  const body = describeMachine(config, state.fingerprint, { machine, failures, engine, egressGuarded });
  const controlPlane = new ControlPlane(config.server, () => state.identity()?.secret ?? null);
  const { identity, answer } = await joinMarket(config, state, controlPlane, body);
  const keeper = new Keeper({
    docker,
    agentId: identity.agentId,
    folder: state.path,
    log,
    ports: { first: config.ports.first + 1, last: config.ports.last },
    bind: config.bind,
    address: identity.address,
    slots: config.split,
    machine,
    egress: egressGuarded ? "guarded" : "open",
    privateImages: config.privateImages,
    dns: config.dns,
    tokenKey: state.tokenKey,
    registryPassword: (instanceId) => controlPlane.registryPassword(instanceId),
  });
  stops.push(() => keeper.stop());
  let stopJoining = answer ? () => undefined : keepJoining(controlPlane, body, log);
  stops.push(() => stopJoining());
  const onBack = () => {
    stopJoining();
    stopJoining = keepJoining(controlPlane, body, log);
  };
  const gpuLoad = new GpuLoad({ run });
  await follow(given, { docker, controlPlane, keeper, gateway, machine, gpuLoad, onBack }, stops);
  return describeJoin(answer);
}

interface Parts extends Pick<SyncParts, "controlPlane" | "keeper" | "gateway" | "onBack"> {
  docker: Docker;
  machine: Machine;
  gpuLoad: GpuLoad;
}

async function follow(
  { config, state, log, onDismissed }: Start,
  { docker, machine, gpuLoad, ...parts }: Parts,
  stops: (() => Promise<void> | void)[],
): Promise<void> {
  const news = makeAlarm();
  const logs = new LogCollector({ docker, log, onLines: () => news.ring() });
  stops.push(() => logs.stop());
  const readStats = makeStatsReader(docker, gpuLoad, machine, config.split);
  const loop = new SyncLoop({ ...parts, logs, readStats, state, log, news, onDismissed });
  const lastWishes = await state.readWishes();
  if (lastWishes) parts.keeper.want(lastWishes);
  loop.start();
  stops.push(() => loop.stop());
  stops.push(rotateDaily(parts.controlPlane, state, log));
}

async function isGuarded(docker: Docker, log: Logger): Promise<boolean> {
  const egress = await setUpEgress({ docker, log });
  if (!egress.guarded) log.warn({ reason: egress.reason }, "containers are not kept from private addresses");
  return egress.guarded;
}

async function openGateway(
  config: AgentConfig,
  state: StateFolder,
  docker: Docker,
  log: Logger,
): Promise<Gateway> {
  const folder = join(state.path, "forward");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const gateway = new Gateway({ docker, hostKey: state.hostKey, host: config.bind, folder, log });
  const { first } = config.ports;
  await gateway.listen(first).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `Port ${first} cannot be opened (${error.code ?? error.message}). Free it, or start the agent with other --ports.`,
    );
  });
  return gateway;
}

/** The secret before is good until the new one is used, so that a crash in between locks nobody out. */
function rotateDaily(controlPlane: ControlPlane, state: StateFolder, log: Logger): () => void {
  const timer = setInterval(() => {
    const identity = state.identity();
    if (!identity) return;
    controlPlane
      .rotate()
      .then((secret) => state.keepIdentity({ ...identity, secret }))
      .catch((error) => log.warn({ err: error }, "the secret was not rotated; it is tried again tomorrow"));
  }, ROTATE_EVERY_MS);
  return () => clearInterval(timer);
}

function makeStatsReader(
  docker: Docker,
  gpuLoad: GpuLoad,
  machine: Machine,
  slots: number,
): SyncParts["readStats"] {
  const reader = new StatsReader({ docker, gpuLoad });
  const gpusEach = machine.gpus.length / slots;
  return ({ seen: { instanceId }, container: { id, pid }, wish }) => {
    const slot = wish?.slot ?? 0;
    const gpuUuids = machine.gpus.slice(slot * gpusEach, (slot + 1) * gpusEach).map(({ uuid }) => uuid);
    return reader.read({ id, pid, instanceId, gpuUuids, cpus: (machine.vcpu ?? 1) / slots });
  };
}
