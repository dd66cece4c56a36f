import { fileURLToPath } from "node:url";
import { settleEnv } from "./lib/env";
import { loadNextPages } from "./lib/http/node/next-pages";
import { readNodeSettings } from "./lib/http/node/node-settings";
import { runNode } from "./lib/http/node/run-node";
import { PROJECT_ROOT } from "./lib/kernel/project-root";
import type { PreparedMarket } from "./lib/market-setup";

/**
 * Our entry around Next: takes a data folder from nothing to a node that serves, and returns when it is ready. The
 * process then lives until a signal and exits by itself. Throws StartupError where a setting is not usable; whatever
 * fails later is printed, undone, and exits 1.
 */
export async function main(): Promise<void> {
  const settings = readNodeSettings(process.env);
  let market: PreparedMarket | undefined;
  let live: { stop(): Promise<void> } | undefined;
  await runNode(settings, {
    // Modules that open connections are imported only after this.
    pointToDatabase(url) {
      process.env.DATABASE_URL = url;
      settleEnv();
    },
    prepare: [
      async ({ metrics }) => {
        const { countConnections } = await import("./lib/db/client");
        metrics.watchPool(countConnections);
      },
      async () => (await import("./lib/db/heartbeat")).startHeartbeat(),
      async () => {
        market = await (await import("./lib/market-setup")).prepareMarket();
      },
    ],
    loadDispatch: async ({ log }) => {
      const { dispatch, loadRoutes } = await import("./lib/http/router");
      await loadRoutes();
      const { startLiveMarket } = await import("./lib/market/index/live-index");
      live = await startLiveMarket((error) => log.warn({ err: error }, "the market could not be followed"));
      return dispatch;
    },
    startWorker: async ({ log }) => {
      const { startWorker } = await import("./lib/worker/start-worker");
      return startWorker((error, doing) => log.error({ err: error, doing }, "a worker's round failed"));
    },
    closeDatabase: async () => {
      await live?.stop();
      (await import("./lib/db/heartbeat")).stopHeartbeat();
      await (await import("./lib/db/client")).closeDatabase();
    },
    startCompanion: async (link, { log }) =>
      market?.demo ? (await import("./lib/local-agent")).startLocalAgent(link, log, process.env) : null,
    welcome: async (link) =>
      market ? (await import("./lib/market-setup")).describeMarket(market, link) : [],
    loadPages: async ({ settings: { host, port, dev } }) => {
      const pages = await loadNextPages({ dir: PROJECT_ROOT, dev: dev === true, host, port });
      return { ...pages, handle: (await import("./lib/accounts/client-header")).nameClients(pages.handle) };
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
