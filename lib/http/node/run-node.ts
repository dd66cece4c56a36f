import type { Logger } from "pino";
import { acquireDatabase } from "../../db/embedded";
import { migrate, pendingMigrations } from "../../db/migrator";
import { holdServerLock } from "../../db/server-lock";
import { StartupError } from "../../db/startup-error";
import { makeLog } from "../log";
import { gatherMetrics, type Metrics, makeMetrics } from "../metrics";
import { type BerthServerOptions, createBerthServer } from "./berth-server";
import { sendConsoleToLog } from "./console-to-log";
import { makeDatabaseCheck } from "./database-check";
import { followProcess, Lifecycle, type StartStep, type Stop } from "./lifecycle";
import { type ListenAddress, linkTo } from "./listen";
import { startMetricsServer } from "./metrics-server";
import type { NodeSettings } from "./node-settings";
import { onStopMessage, startWebProcesses } from "./web-processes";

/** What answers pages, agents and sign-in. */
export interface Pages {
  handle: NonNullable<BerthServerOptions["pages"]>;
  upgrade?: BerthServerOptions["upgrade"];
  stop(): Promise<void>;
}

/** A node while it starts: what the steps so far have found out. */
export interface StartingNode {
  settings: NodeSettings;
  log: Logger;
  metrics: Metrics;
  /** Known once the database step has run. */
  databaseUrl: string;
  /** Where it listens, and where its metrics are. */
  address?: ListenAddress;
  metricsAddress?: ListenAddress | undefined;
  companionLines?: string[];
}

/**
 * The parts that differ from this machinery: the market's own start, the API, the worker, the pages. Each is called after
 * the database is there and migrated, so it may import modules that open connections.
 */
export interface NodeParts {
  /** Tells the modules that are imported later where the database is. */
  pointToDatabase(url: string): void;
  /** First-run data and the like, one line each, in order. */
  prepare: ((node: StartingNode) => Promise<void>)[];
  startWorker?: ((node: StartingNode) => Promise<{ stop(): Promise<void> }>) | undefined;
  loadDispatch?: ((node: StartingNode) => Promise<BerthServerOptions["dispatch"]>) | undefined;
  loadPages?: ((node: StartingNode) => Promise<Pages>) | undefined;
  /** What runs beside the node and talks to it over its own address; its lines are told at the start. */
  startCompanion?:
    | ((link: string, node: StartingNode) => Promise<{ lines: string[]; stop(): Promise<void> } | null>)
    | undefined;
  /** Ends the connections of imported modules, before the database is left. */
  closeDatabase?: (() => Promise<void>) | undefined;
  /** What people should see once the node is ready, line by line. */
  welcome?: ((link: string, node: StartingNode) => Promise<string[]>) | undefined;
}

/** Of one of the web processes of a node; the rest is done once, by the one that forks them. */
const WEB_PROCESS_STEPS = new Set(["database", "connections", "preparations", "server"]);

/** Starts a node and returns when it is ready; the process then lives until a signal, and exits by itself. */
export async function runNode(settings: NodeSettings, parts: NodeParts): Promise<void> {
  const log = makeLog(settings.logLevel);
  const lifecycle = new Lifecycle(log, (code) => process.exit(code));
  followProcess(lifecycle, log);
  if (settings.isWebProcess) onStopMessage(() => void lifecycle.stop(0));
  if (!settings.dev) sendConsoleToLog(log);
  const node: StartingNode = {
    settings,
    log,
    metrics: makeMetrics({ isGathered: settings.isWebProcess }),
    databaseUrl: settings.databaseUrl ?? "",
  };
  const lost = (reason: string) => {
    log.fatal(reason);
    void lifecycle.stop(1);
  };
  try {
    const steps: Record<string, StartStep["start"]> = {
      database: () => startDatabase(node, lost),
      "data folder lock": () => lockDataDir(node, lost),
      migrations: () => applyMigrations(node),
      connections: () => openConnections(node, parts),
      preparations: () => prepareNode(node, parts),
      worker: () => startWorker(node, parts),
      server: () => startServer(node, parts, lost),
      metrics: () => startMetrics(node),
      companion: () => startCompanion(node, parts),
      welcome: () => sayReady(node, parts),
    };
    const own = Object.entries(steps).filter(
      ([name]) => !settings.isWebProcess || WEB_PROCESS_STEPS.has(name),
    );
    await lifecycle.start(own.map(([name, start]) => ({ name, start })));
  } catch (error) {
    // For people, as a sentence; anything else is a fault of ours and needs its stack.
    if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, "could not start");
    await lifecycle.stop(1);
  }
}

async function prepareNode(node: StartingNode, parts: NodeParts): Promise<undefined> {
  for (const prepare of parts.prepare) await prepare(node);
}

async function startDatabase(node: StartingNode, lost: (reason: string) => void): Promise<Stop | undefined> {
  if (node.settings.databaseUrl !== undefined) {
    // Refuses, in words, a database that does not answer or is newer than this program.
    await pendingMigrations(node.settings.databaseUrl);
    return undefined;
  }
  const { log } = node;
  const database = await acquireDatabase(node.settings.dataDir, {
    onChange(change) {
      if (change === "moved") lost("the embedded PostgreSQL came back at another port: start again");
      else log.warn(`the embedded PostgreSQL is ${change}`);
    },
  });
  node.databaseUrl = database.url;
  return () => database.release();
}

async function lockDataDir(node: StartingNode, lost: (reason: string) => void): Promise<Stop> {
  const lock = await holdServerLock(node.settings.dataDir, node.databaseUrl, 10_000, (change) => {
    if (change === "taken")
      lost("another Berth server took over this data folder while the database was away");
    else node.log.warn(`the lock on the data folder is ${change}`);
  });
  return () => lock.release();
}

async function applyMigrations(node: StartingNode): Promise<undefined> {
  const applied = await migrate(node.databaseUrl);
  if (applied.length > 0) node.log.info({ migrations: applied }, "migrated");
}

async function openConnections({ databaseUrl }: StartingNode, parts: NodeParts): Promise<Stop | undefined> {
  parts.pointToDatabase(databaseUrl);
  return parts.closeDatabase;
}

async function startWorker(node: StartingNode, parts: NodeParts): Promise<Stop | undefined> {
  if (node.settings.role === "web" || !parts.startWorker) return undefined;
  const worker = await parts.startWorker(node);
  return () => worker.stop();
}

function isForking({ settings: { workers = 1, role, dev, isWebProcess } }: StartingNode): boolean {
  return workers > 1 && role !== "worker" && !dev && !isWebProcess;
}

async function startServer(
  node: StartingNode,
  parts: NodeParts,
  lost: (reason: string) => void,
): Promise<Stop> {
  const { settings, log, metrics } = node;
  const web = settings.role !== "worker";
  if (web && isForking(node)) {
    const env = { ROLE: "web", WORKERS: "1", DATABASE_URL: node.databaseUrl };
    const { workers: count = 1, host } = settings;
    const forks = await startWebProcesses({ count, host, env, log, lost });
    node.address = forks.address;
    return forks.stop;
  }
  const pages = web ? await parts.loadPages?.(node) : undefined;
  const database = makeDatabaseCheck(node.databaseUrl);
  const server = createBerthServer({
    dispatch: web ? await parts.loadDispatch?.(node) : undefined,
    pages: pages?.handle,
    upgrade: pages?.upgrade,
    checkReady: database.check,
    log,
    metrics,
    publicUrl: settings.publicUrl,
    dev: settings.dev,
  });
  node.address = await server.listen({ host: settings.host, port: settings.port });
  return async (force) => {
    await server.drain(force);
    await pages?.stop();
    await database.stop();
  };
}

async function startMetrics(node: StartingNode): Promise<Stop | undefined> {
  const metrics = isForking(node) ? gatherMetrics(node.metrics) : node.metrics;
  const server = await startMetricsServer(metrics, node.settings.metricsPort, node.address?.port ?? 0);
  node.metricsAddress = server?.address;
  return server?.stop;
}

async function startCompanion(node: StartingNode, parts: NodeParts): Promise<Stop | undefined> {
  if (node.settings.role === "worker" || !node.address) return undefined;
  const companion = await parts.startCompanion?.(linkTo(node.address), node);
  node.companionLines = companion?.lines ?? [];
  return companion ? () => companion.stop() : undefined;
}

async function sayReady(node: StartingNode, parts: NodeParts): Promise<undefined> {
  const { settings, address, metricsAddress, log } = node;
  if (!address) return;
  const link = settings.publicUrl ?? linkTo(address);
  const lines = [...((await parts.welcome?.(link, node)) ?? []), ...(node.companionLines ?? [])];
  if (metricsAddress) lines.push(`metrics  ${linkTo(metricsAddress)}/metrics`);
  process.stdout.write([...lines, `ready    ${link}`, ""].join("\n"));
  log.info({ ...address, metrics_port: metricsAddress?.port, role: settings.role }, "ready");
}
