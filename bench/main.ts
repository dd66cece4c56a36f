// `npm run bench`: Berth beside others, in one run: the search alone, over HTTP, ping and the life of instances, and under load. It prints tables,
// and where all parts ran it writes bench/results.md. `npm run bench -- search http --sizes 10000 --offers 10000 --seconds 2` runs some of it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect, parseArgs } from "node:util";
import { StartupError } from "../lib/db/startup-error";
import { measureHttp } from "./http/part";
import { measureLoad } from "./load/part";
import { describeRun } from "./machine";
import { installPeers } from "./peers";
import { measureSearch } from "./search/part";
import { StopList } from "./stop-list";
import { printTable, type Table, writeTable } from "./table";

const PARTS = ["search", "http", "life", "load"] as const;
const ROOT = join(import.meta.dirname, "..");

type Part = (typeof PARTS)[number];

interface Wish {
  parts: ReadonlySet<Part>;
  /** Offers of part 1, a size after the other. */
  sizes: number[];
  /** Offers of parts 2 and 3, and of part 4. */
  offers: number;
  loadOffers: number;
  /** How long wrk measures in parts 2 and 3, and in part 4. */
  seconds: number;
  loadSeconds: number;
  /** The pages are taken as they are built. */
  built: boolean;
}

function readWish(): Wish {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sizes: text, offers: text, seconds: text, built: { type: "boolean" } },
  });
  const unknown = positionals.filter((name) => !PARTS.some((part) => part === name));
  if (unknown.length > 0)
    throw new StartupError(`No part is called ${unknown.join(", ")}. The parts are ${PARTS.join(", ")}.`);
  const { sizes = "10000,100000,1000000", offers, seconds } = values;
  return {
    parts: new Set(PARTS.filter((part) => positionals.length === 0 || positionals.includes(part))),
    sizes: sizes.split(",").map(readNumber),
    offers: readNumber(offers ?? "100000"),
    loadOffers: readNumber(offers ?? "1000000"),
    seconds: readNumber(seconds ?? "8"),
    loadSeconds: readNumber(seconds ?? "20"),
    built: values.built ?? false,
  };
}

function readNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new StartupError(`${text} is not a whole number above 0.`);
  return Number(text);
}

async function main(wish: Wish, stops: StopList): Promise<void> {
  const { parts, sizes, offers, loadOffers, seconds, loadSeconds, built } = wish;
  await installPeers();
  const needsPages = parts.has("http") || parts.has("life") || parts.has("load");
  await prepare(needsPages && !built);
  const tables: Table[] = [];
  const add = (more: Table[]) => {
    for (const table of more) process.stdout.write(printTable(table));
    tables.push(...more);
  };
  if (parts.has("search")) add(await measureSearch(sizes, stops));
  if (parts.has("http") || parts.has("life")) {
    const which = { search: parts.has("http"), life: parts.has("life") };
    add(await measureHttp({ offers, seconds, ...which }, stops));
  }
  if (parts.has("load")) add(await measureLoad({ offers: loadOffers, seconds: loadSeconds }, stops));
  if (parts.size < PARTS.length) return;
  await writeResults(tables);
}

/** Generates what the sources need, and builds the pages; nothing, where both are of the sources as they are. */
async function prepare(build: boolean): Promise<void> {
  const script = join(ROOT, "scripts", "prepare.mjs");
  const child = spawn(process.execPath, [script, ...(build ? ["--build"] : [])], {
    cwd: ROOT,
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new StartupError("The project could not be prepared, for the reason above.");
}

async function writeResults(tables: readonly Table[]): Promise<void> {
  const about = await describeRun();
  const head = "# What `npm run bench` measured\n\nAll of it in one run. p50, p95 and p99 are percentiles.";
  const text = [head, about.join("\n"), ...tables.map(writeTable)].join("\n\n");
  await writeFile(join(import.meta.dirname, "results.md"), `${text}\n`);
}

const stops = new StopList();
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    isStopping = true;
    void stops.stopAll().finally(() => process.exit(1));
  });
}
try {
  await main(readWish(), stops);
} catch (error) {
  if (!isStopping)
    process.stderr.write(`${error instanceof StartupError ? error.message : inspect(error)}\n`);
  process.exitCode = 1;
} finally {
  await stops.stopAll();
}
