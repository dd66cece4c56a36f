// One engine of the search in a process of its own, so that memory and pauses are its alone: `measure-engine.ts <engine> <size> <folder>`,
// its answers and figures told to the parent.
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Latency, latencyOf } from "../percentiles";
import { makeBodies } from "./bodies";
import { chooseSearch } from "./choose-search";
import { type EngineModule, type Found, TooManyOffers } from "./engine";
import { makeOffers } from "./offers";

const MOST_ROUNDS = 5;
/** No further round begins after so long. */
const MOST_MS = 20_000;

/** What one engine's process tells. */
export type EngineFigures = { tooMany: string } | MeasuredEngine;

export interface MeasuredEngine {
  name: string;
  /** To read and index the offers, without making them up. */
  builtMs: number;
  bytes: number;
  /** Of each body, in their order. */
  answers: Found[];
  search: Latency;
  facets: Latency | null;
  rounds: number;
}

async function measure(engineName: string, size: number, folder: string): Promise<MeasuredEngine> {
  const made = performance.now();
  for (const _ of makeOffers(size));
  const madeMs = performance.now() - made;
  const bodies = makeBodies();
  const { openEngine }: EngineModule = await import(join(import.meta.dirname, engineName));
  const before = await residentBytes();
  const began = performance.now();
  const engine = await openEngine(makeOffers(size), folder);
  const builtMs = performance.now() - began - madeMs;
  const { how, search } = await chooseSearch(engine.searches, bodies);
  const answers: Found[] = [];
  for (const body of bodies) answers.push(await search(body)); // and everything is warm
  const bytes = engine.bytes ?? (await residentBytes()) - before;
  const { taken, rounds } = await timeRounds(bodies, search);
  const facets = engine.countFacets ? await timeRounds(bodies, engine.countFacets) : null;
  await engine.close?.();
  return {
    ...{
      name: how ? `${engine.name}, ${how}` : engine.name,
      builtMs,
      bytes,
      answers,
      rounds,
      search: latencyOf(taken),
    },
    facets: facets && latencyOf(facets.taken),
  };
}

async function timeRounds<Body>(
  bodies: readonly Body[],
  act: (body: Body) => unknown,
): Promise<{ taken: number[]; rounds: number }> {
  const taken: number[] = [];
  const deadline = performance.now() + MOST_MS;
  let rounds = 0;
  while (rounds === 0 || (rounds < MOST_ROUNDS && performance.now() < deadline)) {
    for (const body of bodies) {
      const began = performance.now();
      const answer = act(body);
      if (answer instanceof Promise) await answer;
      taken.push(performance.now() - began);
    }
    rounds += 1;
  }
  return { taken, rounds };
}

async function residentBytes(): Promise<number> {
  // WebAssembly's memories go in the turn after the objects that held them.
  for (let round = 0; round < 2; round += 1) {
    globalThis.gc?.();
    await setImmediate();
  }
  return process.memoryUsage.rss();
}

const leave = () => process.exit(1);
process.once("disconnect", leave); // the parent has no use for it any more
const [engineName = "", size = "", folder = ""] = process.argv.slice(2);
const figures: EngineFigures = await measure(engineName, Number(size), folder).catch((error: unknown) => {
  if (error instanceof TooManyOffers) return { tooMany: error.message };
  throw error;
});
process.off("disconnect", leave);
process.send?.(figures, () => process.disconnect());
