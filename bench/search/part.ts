import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Latency } from "../percentiles";
import type { StopList } from "../stop-list";
import { showCount, showMegabytes, showMs, showRatio, showSeconds, type Table } from "../table";
import { BODIES, makeBodies } from "./bodies";
import type { EngineFigures, MeasuredEngine } from "./measure-engine";

/** By their modules; ours is first, and the others' answers are held to its. */
const engines = ["ours", "plain-scan", "duckdb.mjs", "postgres", "orama.mjs"];
const names: Record<string, string> = { "orama.mjs": "Orama, in process" };

/** Part 1: the search alone, each engine in a process of its own, one table for each size. */
export async function measureSearch(sizes: readonly number[], stops: StopList): Promise<Table[]> {
  const tables: Table[] = [];
  for (const size of sizes) tables.push(await measureSize(size, stops));
  return tables;
}

async function measureSize(size: number, stops: StopList): Promise<Table> {
  const rows: string[][] = [];
  const notes = [
    `${BODIES} bodies of one to eight filters in every order, half of them by price, 50 offers and the exact total each. Every engine gave the same ids and totals for all ${BODIES}.`,
    "Memory is what the process grew by, and the table with its indexes for PostgreSQL. The ratio is of p50, to Berth's.",
  ];
  let ours: MeasuredEngine | undefined;
  for (const engine of engines) {
    process.stderr.write(`search, ${showCount(size)} offers: ${engine}\n`);
    const figures = await runEngine(engine, size, stops);
    if ("tooMany" in figures) {
      rows.push([names[engine] ?? engine, ...Array.from({ length: 6 }, () => "–"), "–"]);
      notes.push(`${names[engine] ?? engine}: not measured, for it ${figures.tooMany}.`);
      continue;
    }
    ours ??= figures;
    requireSameAnswers(ours, figures);
    const { p50 } = ours.search;
    const build = [showSeconds(figures.builtMs), showMegabytes(figures.bytes)];
    rows.push([figures.name, ...showLatency(figures.search), showRatio(figures.search.p50, p50), ...build]);
    rows[rows.length - 1]?.push(String(figures.rounds));
    if (figures.facets) {
      const ratio = showRatio(figures.facets.p50, p50);
      rows.push([
        `${figures.name}: facets and histograms`,
        ...showLatency(figures.facets),
        ratio,
        "",
        "",
        "",
      ]);
    }
  }
  const columns = ["", "p50 ms", "p95 ms", "p99 ms", "× ours", "built in s", "memory MB", "rounds"];
  return { title: `Search alone, ${showCount(size)} offers`, columns, rows, notes };
}

function showLatency({ p50, p95, p99 }: Latency): string[] {
  return [showMs(p50), showMs(p95), showMs(p99)];
}

async function runEngine(engine: string, size: number, stops: StopList): Promise<EngineFigures> {
  const folder = await mkdtemp(join(tmpdir(), "berth-bench-"));
  const removed = stops.add(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const child = fork(join(import.meta.dirname, "measure-engine.ts"), [engine, String(size), folder], {
    execArgv: ["--import", "tsx", "--expose-gc"],
    serialization: "advanced",
  });
  const ended = stops.add(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    if (child.connected) child.disconnect(); // it then ends, and what it has started
    await exit;
  });
  let figures: EngineFigures | undefined;
  child.once("message", (message) => {
    figures = message as EngineFigures;
  });
  await once(child, "exit");
  await ended();
  await removed();
  if (!figures) throw new Error(`${engine} ended before it had told its figures`);
  return figures;
}

function requireSameAnswers(ours: MeasuredEngine, theirs: MeasuredEngine): void {
  const differs = ours.answers.findIndex(
    (answer, i) => JSON.stringify(answer) !== JSON.stringify(theirs.answers[i]),
  );
  if (differs < 0) return;
  const body = JSON.stringify(makeBodies()[differs]);
  throw new Error(`${theirs.name} answers otherwise than ${ours.name}: ${body}`);
}
