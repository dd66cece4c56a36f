import { z } from "zod";
import type { MachineGpu } from "@/lib/contract/agent-protocol";
import { type DriverAnswer, driverWords } from "./driver-answer";
import type { ProgramEnd, RunProgram } from "./run-program";

const QUERY = ["--showproductname", "--showmeminfo", "vram", "--showuniqueid", "--json"];
const TIMEOUT_MS = 30_000;
const GIBIBYTE = 1024 ** 3;
/** A processor's own graphics is listed too, with a piece of the RAM. */
const LEAST_VRAM_GB = 2;

const cards = z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])));
type Card = Map<string, string>;

/** The AMD GPUs of this machine, by rocm-smi. */
export async function readAmdGpus(run: RunProgram): Promise<DriverAnswer> {
  const ended = await run("rocm-smi", QUERY, TIMEOUT_MS);
  if (ended === null) return { gpus: [], maxCudaVersion: null, problem: null };
  const read = parseRocmCards(ended);
  // It ends with 0 also where the driver is not loaded, and says so in a line beside the JSON.
  const failed = ended.exitCode !== 0 || (read.size === 0 && /\bERROR\b/.test(ended.stdout + ended.stderr));
  if (failed) return { gpus: [], maxCudaVersion: null, problem: driverWords("rocm-smi", ended) };
  const gpus = [...read].map(([key, card]) => toGpu(key, card)).filter((gpu) => gpu !== null);
  return { gpus, maxCudaVersion: null, problem: null };
}

/**
 * The cards of `rocm-smi --json`, by "card0" …, their fields by name in lower case: "Card series" of old versions is "Card
 * Series" of new ones. Warnings stand before the JSON; "system" is no card.
 */
export function parseRocmCards(ended: NonNullable<ProgramEnd>): Map<string, Card> {
  const found = new Map<string, Card>();
  const parsed = cards.safeParse(parseJson(ended.stdout.slice(Math.max(0, ended.stdout.indexOf("{")))));
  for (const [key, fields] of Object.entries(parsed.success ? parsed.data : {})) {
    if (!/^card\d+$/.test(key)) continue;
    found.set(
      key,
      new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), String(value)])),
    );
  }
  return found;
}

/** Its unique id, which not every card has. */
export function rocmUuid(key: string, card: Card): string {
  const id = card.get("unique id") ?? "";
  return /^0x[0-9a-f]+$/i.test(id) ? id : key;
}

function toGpu(key: string, card: Card): MachineGpu | null {
  const vramGb = Math.round((Number(card.get("vram total memory (b)")) / GIBIBYTE) * 10) / 10;
  if (!(vramGb >= LEAST_VRAM_GB)) return null;
  // A field that the driver cannot name holds the PCI id ("0x744c"); the model is the better name where it is one.
  const names = ["card model", "card series", "device name"].map((name) => card.get(name) ?? "");
  const name = names.find((value) => /[a-z]{2}/i.test(value) && !/^(0x|N\/A)/i.test(value));
  return { uuid: rocmUuid(key, card), vendor: "AMD", name: name ?? "unnamed AMD GPU", vramGb };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
