// A node process for process.test.ts: real database, real signals, a small API. Settings come as JSON in the first argument.
import type { NodeSettings } from "../../lib/http/node/node-settings";
import { runNode } from "../../lib/http/node/run-node";
import { echoDispatch, json } from "./start-test-server";

const settings: NodeSettings & { failAfterReady?: boolean } = {
  ...JSON.parse(process.argv[2] ?? ""),
  isWebProcess: process.env.BERTH_WEB_PROCESS === "1",
};

const say = (text: string) => void process.stdout.write(`${text}\n`);

await runNode(settings, {
  pointToDatabase: (url) => say(`pointed ${url.startsWith("postgres://")}`),
  prepare: [async () => say("prepared")],
  startWorker: async () => ({ stop: async () => say("worker stopped") }),
  loadDispatch: async () => async (request, peer) => {
    if (!request.url.endsWith("/v0/slow")) return echoDispatch(request, peer);
    say("slow began");
    await new Promise((resolve) => process.once("SIGUSR2", resolve));
    return json(200, { slow: true });
  },
  closeDatabase: async () => say("connections closed"),
  welcome: async (link) => [`welcome  ${link}`],
});
if (settings.failAfterReady) setImmediate(() => Promise.reject(new Error("nobody caught this")));
