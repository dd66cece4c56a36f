import { createServer } from "node:http";
import { StartupError } from "../../db/startup-error";
import type { Metrics } from "../metrics";
import { type ListenAddress, listenOn } from "./listen";

const LOOPBACK = "127.0.0.1";
const PORT_DISTANCE = 6000;

/** A running metrics endpoint. */
export interface MetricsServer {
  address: ListenAddress;
  stop(): Promise<void>;
}

/**
 * Serves `GET /metrics` on the loopback address only: what it tells is the operator's business.
 * @param port undefined: the public port + 6000, or any free one where that is taken; 0: not at all
 * @returns null where it is off
 * @throws StartupError where a port that was asked for is in use
 */
export async function startMetricsServer(
  metrics: Pick<Metrics, "scrape">,
  port: number | undefined,
  publicPort: number,
): Promise<MetricsServer | null> {
  if (port === 0) return null;
  const server = makeServer(metrics);
  const address = await listenSomewhere(server, port, publicPort);
  return {
    address,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listenSomewhere(
  server: ReturnType<typeof createServer>,
  port: number | undefined,
  publicPort: number,
): Promise<ListenAddress> {
  if (port !== undefined) return listenOn(server, { host: LOOPBACK, port }, "METRICS_PORT");
  const preferred = publicPort + PORT_DISTANCE;
  try {
    return await listenOn(server, { host: LOOPBACK, port: preferred <= 65_535 ? preferred : 0 });
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return listenOn(server, { host: LOOPBACK, port: 0 });
  }
}

function makeServer(metrics: Pick<Metrics, "scrape">) {
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, async (incoming, outgoing) => {
    const found = incoming.url === "/metrics" && (incoming.method === "GET" || incoming.method === "HEAD");
    if (!found) {
      outgoing.writeHead(404, { "content-type": "text/plain" }).end("The metrics are at GET /metrics\n");
      return;
    }
    try {
      const { text, contentType } = await metrics.scrape();
      outgoing.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
    } catch {
      outgoing.writeHead(500, { "content-type": "text/plain" }).end("The metrics could not be read\n");
    }
  });
}
