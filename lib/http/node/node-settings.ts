import { isIP } from "node:net";
import { StartupError } from "../../db/startup-error";

/** What the environment says about this node. */
export interface NodeSettings {
  host: string;
  /** 0: any free port. */
  port: number;
  publicUrl?: string | undefined;
  dataDir: string;
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string | undefined;
  role: "web" | "worker" | "both";
  /** Processes that serve; 1: this one does. Absent: 1. */
  workers?: number | undefined;
  /** One of several processes of a node, forked by it. */
  isWebProcess?: boolean | undefined;
  /** 0: no metrics; absent: see `startMetricsServer`. */
  metricsPort?: number | undefined;
  logLevel?: string | undefined;
  /** Pages reload while they are edited. */
  dev?: boolean | undefined;
}

const ROLES = ["web", "worker", "both"] as const;
const MOST_WORKERS = 64;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/**
 * Reads HOST, PORT, PUBLIC_URL, DATA_DIR, DATABASE_URL, ROLE, WORKERS, METRICS_PORT, LOG_LEVEL and NODE_ENV; an empty one counts
 * as absent.
 * @throws StartupError that names the setting and what it may be
 */
export function readNodeSettings(env: Record<string, string | undefined>): NodeSettings {
  const host = env.HOST || "127.0.0.1";
  const publicUrl = readPublicUrl(env.PUBLIC_URL);
  const role = readOneOf("ROLE", env.ROLE || "both", ROLES);
  if (role !== "worker" && !publicUrl && !isLoopback(host)) {
    throw new StartupError(
      `HOST=${host} can be reached from other machines, so PUBLIC_URL has to say under which address. For example: PUBLIC_URL=https://gpu.example.com npm start`,
    );
  }
  return {
    host,
    port: readPort("PORT", env.PORT) ?? 3000,
    publicUrl,
    dataDir: env.DATA_DIR || ".data",
    databaseUrl: env.DATABASE_URL || undefined,
    role,
    workers: readWorkers(env.WORKERS),
    isWebProcess: env.BERTH_WEB_PROCESS === "1",
    metricsPort: readPort("METRICS_PORT", env.METRICS_PORT),
    logLevel: readOneOf("LOG_LEVEL", env.LOG_LEVEL || "info", LOG_LEVELS),
    dev: env.NODE_ENV === "development",
  };
}

/** Whether only this machine can reach a listener on the host. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function readPort(name: string, value: string | undefined): number | undefined {
  if (!value) return undefined;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new StartupError(`${name}=${value} is not a port. Use a number from 0 to 65535.`);
}

function readWorkers(value: string | undefined): number {
  if (!value) return 1;
  const workers = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (workers >= 1 && workers <= MOST_WORKERS) return workers;
  throw new StartupError(
    `WORKERS=${value} is not a number of processes. Use one from 1 to ${MOST_WORKERS}; as many as the machine has cores are enough.`,
  );
}

function readPublicUrl(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash;
  if (isOrigin && !url.username && !url.password) return url.origin;
  throw new StartupError(
    `PUBLIC_URL=${value} is not an address to reach Berth at. Use http or https and a host, without a path: https://gpu.example.com`,
  );
}

function readOneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found) return found;
  throw new StartupError(`${name}=${value} is not known. Use one of: ${allowed.join(", ")}.`);
}
