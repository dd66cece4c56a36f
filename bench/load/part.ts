import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeCaller, mustAnswer } from "../http/caller";
import { type Load, type LoadFigures, requireWrk, runWrk } from "../http/run-wrk";
import { nodeSettings, startServer } from "../http/servers";
import { memoryOf } from "../memory-of";
import { type OpenMarket, openMarket } from "../open-market";
import { latencyOf } from "../percentiles";
import { makeBodies, toRequestBody } from "../search/bodies";
import type { StopList } from "../stop-list";
import { showCount, showMegabytes, showMs, showSeconds, type Table } from "../table";
import { Probe } from "./probe";
import { repriceUntil } from "./reprice-until";

const CONNECTIONS = 4;
const WARM_SECONDS = 3;
const REPRICES_A_SECOND = 500;
/** Offers that are repriced in one statement. */
const BATCH = 25;

/** Part 4: a node's start with a large market, its memory, and its searches while prices change. */
export async function measureLoad(
  wish: { offers: number; seconds: number },
  stops: StopList,
): Promise<Table[]> {
  await requireWrk();
  process.stderr.write(`load: a market of ${showCount(wish.offers)} offers\n`);
  const market = await openMarket(wish.offers, stops);
  const settings = nodeSettings(market.url, market.folder);
  process.stderr.write("load: starting\n");
  const began = performance.now();
  const server = await startServer("ours", settings, "", stops);
  const readyMs = performance.now() - began;
  const readyBytes = await memoryOf(server.pid);
  const load: Load = {
    ...{ method: "POST", path: "/v0/market/search", key: market.key },
    bodies: makeBodies().map(toRequestBody),
  };
  const searchFor = (seconds: number) =>
    runWrk(server.match, load, { connections: CONNECTIONS, seconds, folder: market.folder });
  await searchFor(WARM_SECONDS);
  process.stderr.write("load: searching\n");
  const quiet = await searchFor(wish.seconds);
  process.stderr.write("load: searching and repricing\n");
  const busy = await searchWhileRepricing(() => searchFor(wish.seconds), server.match, market);
  const laterBytes = await memoryOf(server.pid);
  await server.stop();
  await market.close();
  const ofOffers = `${showCount(wish.offers)} offers`;
  return [
    {
      title: `Start to ready with ${ofOffers}`,
      columns: ["", "ready after s", "memory MB", "memory MB after the load"],
      rows: [["Berth", showSeconds(readyMs), showMegabytes(readyBytes), showMegabytes(laterBytes)]],
      notes: ["The resident memory of the whole process: the market, the pages, the worker."],
    },
    {
      title: `Search over HTTP with ${ofOffers} while prices change`,
      columns: ["", "requests/s", "p50 ms", "p95 ms", "p99 ms"],
      rows: [
        ["no reprices", ...showLoad(quiet)],
        [`${showCount(busy.repricesASecond)} reprices a second`, ...showLoad(busy.figures)],
        [
          `commit until a search shows it, ${busy.staleMs.length} times`,
          "",
          ...[latencyOf(busy.staleMs)].flatMap(({ p50, p95, p99 }) => [
            showMs(p50),
            showMs(p95),
            showMs(p99),
          ]),
        ],
      ],
      notes: [
        `${CONNECTIONS} connections of wrk search without a pause; ${BATCH} random offers are repriced in each statement.`,
      ],
    },
  ];
}

async function searchWhileRepricing(
  search: () => Promise<LoadFigures>,
  url: string,
  market: OpenMarket,
): Promise<{ figures: LoadFigures; repricesASecond: number; staleMs: number[] }> {
  const client = new pg.Client(market.url);
  const probing = new pg.Client(market.url);
  await Promise.all([client.connect(), probing.connect()]);
  const { call, close } = makeCaller(url, market.key, 1);
  const ended = new AbortController();
  try {
    const probe = new Probe(probing, (body) => mustAnswer(call, "POST", "/v0/market/search", body));
    await probe.mark();
    await sleep(1_000); // the mark is seen by now
    const reprices = repriceUntil(ended.signal, client, { aSecond: REPRICES_A_SECOND, batch: BATCH });
    const probes = probe.watchUntil(ended.signal);
    const figures = await search();
    ended.abort();
    return { figures, repricesASecond: await reprices, staleMs: await probes };
  } finally {
    ended.abort();
    close();
    await Promise.all([client.end(), probing.end()]);
  }
}

function showLoad({ requestsASecond, p50, p95, p99 }: LoadFigures): string[] {
  return [showCount(requestsASecond), showMs(p50), showMs(p95), showMs(p99)];
}
