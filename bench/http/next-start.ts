// `next start` as its own command runs it, with the market in memory beside it as in `server.ts`, or with `database` without:
// `next-start.ts memory|database <port>`. It needs the pages built.
import { join } from "node:path";
import { nextStart } from "next/dist/cli/next-start";

const [market, port] = process.argv.slice(2);

if (market === "memory") {
  const { startLiveMarket } = await import("../../lib/market/index/live-index");
  await startLiveMarket((error) => process.stderr.write(`${String(error)}\n`));
}
await nextStart({ port: Number(port), hostname: "127.0.0.1" }, join(import.meta.dirname, "..", ".."));
process.stdout.write(`ready    http://127.0.0.1:${port}\n`);
