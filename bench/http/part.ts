import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { db } from "../../lib/db/client";
import type { Program } from "../market";
import { memoryOf } from "../memory-of";
import { type OpenMarket, openMarket } from "../open-market";
import type { Latency } from "../percentiles";
import { makeBodies, toRequestBody } from "../search/bodies";
import type { StopList } from "../stop-list";
import { showCount, showMegabytes, showMs, showRatio, type Table } from "../table";
import { type Call, makeCaller, mustAnswer } from "./caller";
import { destroyOne, rentOne, timeRents } from "./rent-and-destroy";
import { type Load, type LoadFigures, requireWrk, runWrk } from "./run-wrk";
import { nodeSettings, type ServerName, serverNames, startServer, startWorker } from "./servers";

const CONNECTIONS = 32;
const WARM_SECONDS = 3;
const LISTED = 50;
const PAIRS = 400;
const PAIRS_AT_ONCE = 8;
const BOOT_MS = 60_000;
/** Every so many bodies the servers are held to the same answer. */
const CHECK_EVERY = 4;
const servers: readonly ServerName[] = [
  "ours",
  "next",
  "next without memory",
  "fastify",
  "fastify complete",
  "bare",
];

export interface HttpWish {
  offers: number;
  /** How long wrk measures. */
  seconds: number;
  /** Part 2. */
  search: boolean;
  /** Part 3: ping, the list of instances, renting and destroying. */
  life: boolean;
}

interface Measured {
  server: ServerName;
  figures: LoadFigures;
  bytes: number;
}

/** What is asked of every server, and the table that it is for. */
interface Question {
  title: string;
  load: Load;
}

/** Parts 2 and 3: one server after the other, each in a process of its own, over one database. */
export async function measureHttp(wish: HttpWish, stops: StopList): Promise<Table[]> {
  await requireWrk();
  process.stderr.write(`http: a market of ${showCount(wish.offers)} offers\n`);
  const market = await openMarket(wish.offers, stops);
  const settings = nodeSettings(market.url, market.folder);
  const questions = listQuestions(wish, market.key);
  const answersFile = join(market.folder, "answers.json");
  const measured = new Map<Question, Measured[]>(questions.map((question) => [question, []]));
  let answers: Record<string, string> = {};
  for (const server of servers) {
    process.stderr.write(`http: ${serverNames[server]}\n`);
    const program = await startServer(server, settings, answersFile, stops);
    if (server === "ours") {
      if (wish.life) await rentSome(program.match, market);
      answers = await readAnswers(program.match, market.key, questions);
      await writeFile(answersFile, JSON.stringify(answers));
    } else await requireSameAnswers(program.match, market.key, questions, answers, serverNames[server]);
    for (const [question, rows] of measured) {
      const figures = await measureLoad(program, question.load, wish.seconds, market.folder);
      rows.push({ server, figures, bytes: await memoryOf(program.pid) });
    }
    await program.stop();
  }
  const tables = [...measured].map(([question, rows]) => makeTable(question, rows));
  if (wish.life) tables.push(await measureRents(settings, market, stops));
  await market.close();
  return tables;
}

function listQuestions({ search, life, offers }: HttpWish, key: string): Question[] {
  const get = (path: string): Load => ({ method: "GET", path, key, bodies: [] });
  const bodies = makeBodies().map(toRequestBody);
  return [
    ...(search
      ? [
          {
            title: `Search over HTTP, ${showCount(offers)} offers, 50 of them an answer`,
            load: { ...get("/v0/market/search"), method: "POST" as const, bodies },
          },
        ]
      : []),
    ...(life
      ? [
          { title: "GET /v0/ping", load: get("/v0/ping") },
          { title: `GET /v0/instances, ${LISTED} rows`, load: get("/v0/instances") },
        ]
      : []),
  ];
}

async function measureLoad(
  program: Program,
  load: Load,
  seconds: number,
  folder: string,
): Promise<LoadFigures> {
  await runWrk(program.match, load, { connections: CONNECTIONS, seconds: WARM_SECONDS, folder });
  return runWrk(program.match, load, { connections: CONNECTIONS, seconds, folder });
}

const page = z.object({ data: z.array(z.object({ id: z.string() })).nullable() });

async function readAnswers(url: string, key: string, questions: Question[]): Promise<Record<string, string>> {
  const { call, close } = makeCaller(url, key);
  const answers: Record<string, string> = {};
  for (const { load } of questions) {
    for (const body of load.bodies.length > 0 ? load.bodies : [undefined])
      answers[nameOf(load, body)] = await mustAnswer(call, load.method, load.path, body);
  }
  close();
  return answers;
}

function nameOf({ method, path }: Load, body = ""): string {
  return `${method} ${path} ${body}`;
}

/** Every byte, but of the list of instances only which they are: what they cost grows while we look. */
async function requireSameAnswers(
  url: string,
  key: string,
  questions: Question[],
  answers: Record<string, string>,
  name: string,
): Promise<void> {
  const sampled = questions.map(({ title, load }) => ({
    title,
    load: { ...load, bodies: load.bodies.filter((_, i) => i % CHECK_EVERY === 0) },
  }));
  for (const [asked, theirs] of Object.entries(await readAnswers(url, key, sampled))) {
    const known = answers[asked] ?? "";
    if (theirs === known) continue;
    const idsOf = (text: string) => page.parse(JSON.parse(text)).data?.map(({ id }) => id);
    const isSame = asked.startsWith("GET /v0/instances") && idsOf(theirs)?.join() === idsOf(known)?.join();
    if (!isSame)
      throw new Error(`${name} answers otherwise: ${asked}\n${known.slice(0, 900)}\n${theirs.slice(0, 900)}`);
  }
}

/** Rents until the list has its rows, and waits until all of them run. */
async function rentSome(url: string, market: OpenMarket): Promise<void> {
  const { call, close } = makeCaller(url, market.key);
  const templateId = await findTemplate();
  const offers = (await listCheapest()).slice(0, LISTED);
  for (const offer of offers) await rentOne(call, offer, templateId);
  const deadline = performance.now() + BOOT_MS;
  while ((await db().instance.count({ where: { status: "running" } })) < offers.length) {
    if (performance.now() > deadline) throw new Error("the instances did not boot");
    await sleep(100);
  }
  close();
}

async function findTemplate(): Promise<string> {
  const template = await db().template.findFirstOrThrow({
    where: { isPrivate: false },
    select: { id: true },
  });
  return template.id;
}

/** What can be rented, the cheapest first, so that one balance pays for all. */
async function listCheapest(): Promise<string[]> {
  const rows = await db().offer.findMany({
    where: { rentable: true, diskGb: { not: null } },
    orderBy: { priceMicro: "asc" },
    select: { id: true },
    take: LISTED + 2 * PAIRS,
  });
  return rows.map(({ id }) => id);
}

async function measureRents(
  settings: Record<string, string>,
  market: OpenMarket,
  stops: StopList,
): Promise<Table> {
  const templateId = await findTemplate();
  const rows: string[][] = [];
  let ours: { create: Latency; destroy: Latency } | undefined;
  for (const server of ["ours", "next"] as const) {
    process.stderr.write(`create and destroy: ${serverNames[server]}\n`);
    const offers = (await listCheapest()).slice(0, PAIRS);
    const program = await startServer(server, settings, "", stops);
    const worker = server === "next" ? await startWorker(settings, stops) : null;
    const { call, close } = makeCaller(program.match, market.key, PAIRS_AT_ONCE);
    await warmUp(call, templateId, (await listCheapest()).slice(PAIRS, PAIRS + LISTED));
    const { create, destroy, pairsASecond } = await timeRents(call, offers, templateId, PAIRS_AT_ONCE);
    ours ??= { create, destroy };
    const name = serverNames[server];
    rows.push([
      `${name}: create`,
      pairsASecond.toFixed(0),
      ...showLatency(create),
      showRatio(create.p50, ours.create.p50),
    ]);
    rows.push([`${name}: destroy`, "", ...showLatency(destroy), showRatio(destroy.p50, ours.destroy.p50)]);
    close();
    await worker?.stop();
    await program.stop();
  }
  return {
    title: "POST /v0/instances/create and DELETE /v0/instances/{id}",
    columns: ["", "pairs/s", "p50 ms", "p95 ms", "p99 ms", "p50 × ours"],
    rows,
    notes: [
      `${PAIRS} pairs on offers of their own, ${PAIRS_AT_ONCE} at once, of simulated machines that boot at once. Berth drives them in the same process; beside next start a worker of its own does. Fastify and the bare server have no such routes.`,
    ],
  };
}

async function warmUp(call: Call, templateId: string, offerIds: readonly string[]): Promise<void> {
  for (const offer of offerIds) await destroyOne(call, await rentOne(call, offer, templateId));
}

function makeTable({ title, load }: Question, measured: Measured[]): Table {
  const ours = measured[0]?.figures.requestsASecond ?? Number.NaN;
  const rows = measured.map(({ server, figures, bytes }) => [
    serverNames[server],
    showCount(figures.requestsASecond),
    showRatio(figures.requestsASecond, ours),
    ...showLatency(figures),
    showMegabytes(bytes),
  ]);
  const checked = load.bodies.length > 0 ? ` Every ${CHECK_EVERY}th body got the same bytes from all.` : "";
  return {
    title,
    columns: ["", "requests/s", "× ours", "p50 ms", "p95 ms", "p99 ms", "memory MB"],
    rows,
    notes: [
      `${CONNECTIONS} connections from one thread of wrk, which shares the machine's cores with the server and PostgreSQL.${checked}`,
    ],
  };
}

function showLatency({ p50, p95, p99 }: Latency): string[] {
  return [showMs(p50), showMs(p95), showMs(p99)];
}
