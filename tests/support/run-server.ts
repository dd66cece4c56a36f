// The program of `npm start` without its pages, for tests that kill it: settings come by the environment.
import { readNodeSettings } from "@/lib/http/node/node-settings";
import { runNode } from "@/lib/http/node/run-node";

await runNode(readNodeSettings(process.env), {
  pointToDatabase(url) {
    process.env.DATABASE_URL = url;
  },
  prepare: [async () => (await import("@/lib/db/heartbeat")).startHeartbeat()],
  loadDispatch: async () => {
    const { dispatch, loadRoutes } = await import("@/lib/http/router");
    await loadRoutes();
    return dispatch;
  },
  startWorker: async ({ log }) =>
    (await import("@/lib/worker/start-worker")).startWorker((error, doing) =>
      log.error({ err: error, doing }, "a worker round failed"),
    ),
  closeDatabase: async () => {
    (await import("@/lib/db/heartbeat")).stopHeartbeat();
    await (await import("@/lib/db/client")).closeDatabase();
  },
});
