import { type GpuModel, gpuModels } from "./gpu-models";

/** What a catalogue row says of its GPU. `vramGb` is GB a GPU; `socket` is "PCIe", "SXM4", "OAM" … */
export type GpuClaim = { name: string; vramGb: number | null; socket: string | null };

type ParsedName = { base: string; memoryGb: number | null; socket: string | null };

// Drivers report a little less than the label (ECC takes 1/16 of GDDR), and hardly ever more.
const LEAST_REPORTED_SHARE = 0.92;
const MOST_REPORTED_SHARE = 1.015;
const LONGEST_NAME = 120;

const MEMORY = /(?<![A-Z0-9])(\d{1,3}) ?(?:GB|GIB|G)(?![A-Z0-9])/g;
const SOCKET = /(?<![A-Z0-9])(SXM\d?|PCI ?E|OAM)(?![A-Z0-9])/g;
const NOISE =
  /(?<![A-Z0-9])(?:NVIDIA|AMD|GEFORCE|TESLA|INSTINCT|GPU|GENERATION|GRAPHICS|CARD|ACCELERATOR|TENSOR|CORE|GDDR\d\w?|HBM\d?E?)(?![A-Z0-9])/g;

function spaced(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, " ")
    .trim();
}

function squeezed(name: string): string {
  return spaced(name).replaceAll(" ", "");
}

function parseName(name: string): ParsedName {
  const text = spaced(name);
  const memory = [...text.matchAll(MEMORY)][0]?.[1];
  const socket = [...text.matchAll(SOCKET)][0]?.[1];
  const base = text.replace(MEMORY, " ").replace(SOCKET, " ").replace(NOISE, " ").replaceAll(" ", "");
  return { base, memoryGb: memory === undefined ? null : Number(memory), socket: socket ?? null };
}

function addTo(index: Map<string, Set<GpuModel>>, key: string, model: GpuModel) {
  const models = index.get(key);
  if (models) models.add(model);
  else index.set(key, new Set([model]));
}

const byWholeName = new Map<string, Set<GpuModel>>();
const byBase = new Map<string, Set<GpuModel>>();
const labelledSizes = new Map<GpuModel, Set<number>>();

for (const model of gpuModels) {
  const sizes = new Set([model.vramGb]);
  for (const name of [model.name, model.translitName, ...model.aliases]) {
    const parsed = parseName(name);
    addTo(byWholeName, squeezed(name), model);
    addTo(byBase, parsed.base, model);
    if (parsed.memoryGb !== null) sizes.add(parsed.memoryGb);
  }
  labelledSizes.set(model, sizes);
}

function hasMemory(model: GpuModel, vramGb: number | null): boolean {
  if (vramGb === null) return true;
  const sizes = labelledSizes.get(model) ?? new Set([model.vramGb]);
  return [...sizes].some(
    (size) => vramGb >= size * LEAST_REPORTED_SHARE && vramGb <= size * MOST_REPORTED_SHARE,
  );
}

function hasSocket(model: GpuModel, socket: string | null): boolean {
  if (socket === null) return true;
  const own = squeezed(model.interface);
  const asked = squeezed(socket);
  if (asked.startsWith("PCIE")) return own.startsWith("PCIE");
  return asked === "SXM" ? own.startsWith("SXM") : own === asked;
}

function quote(name: string): string {
  const shown = name.replace(/[\p{C}"]/gu, " ").trim();
  return `"${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}"`;
}

function list(models: readonly GpuModel[]): string {
  return models.map((model) => model.name).join(" or ");
}

function reasonForNone(claim: GpuClaim, candidates: readonly GpuModel[], vramGb: number | null): string {
  const sizes = [...new Set(candidates.map((model) => model.vramGb))].sort((a, b) => a - b);
  if (vramGb !== null && !candidates.some((model) => hasMemory(model, vramGb)))
    return `${quote(claim.name)} is known with ${sizes.join(" or ")} GB, but the row says ${Number(vramGb.toFixed(1))} GB a GPU: a modified card, or a variant that is not in the catalogue`;
  return `${quote(claim.name)} is known as ${list(candidates)}, none of which has the memory and socket that the row gives`;
}

function reasonForSeveral(claim: GpuClaim, models: readonly GpuModel[]): string {
  const sizes = new Set(models.map((model) => model.vramGb));
  const sockets = new Set(models.map((model) => model.interface));
  const missing = [sizes.size > 1 ? "memory" : null, sockets.size > 1 ? "socket" : null].filter(Boolean);
  return `${quote(claim.name)} could be ${list(models)}: the row must also give ${missing.length > 0 ? `the ${missing.join(" and the ")}` : "the full name"}`;
}

/**
 * The catalogue model that a row means, by name and memory and, where two forms share both, by socket.
 * Two variants are never merged: an unknown, contradictory or ambiguous claim comes back as a reason in words.
 */
export function resolveGpuModel(claim: GpuClaim): GpuModel | { reason: string } {
  if (claim.name.length > LONGEST_NAME) return { reason: "the GPU's name is too long to be one" };
  const parsed = parseName(claim.name);
  if (parsed.base === "") return { reason: "the row does not name a GPU" };

  // A vendor's own device name is exact even where its numbers mislead: "GH200 480GB" counts the CPU's memory.
  const exact = [...(byWholeName.get(squeezed(claim.name)) ?? [])];
  const only = exact.length === 1 ? exact[0] : undefined;
  if (only && hasMemory(only, claim.vramGb) && hasSocket(only, claim.socket)) return only;

  const candidates = [...(byBase.get(parsed.base) ?? [])];
  if (candidates.length === 0)
    return { reason: `no GPU model in the catalogue is called ${quote(claim.name)}` };
  const fitting = candidates.filter(
    (model) =>
      hasMemory(model, claim.vramGb) &&
      hasMemory(model, parsed.memoryGb) &&
      hasSocket(model, claim.socket) &&
      hasSocket(model, parsed.socket),
  );
  const found = fitting[0];
  if (!found) return { reason: reasonForNone(claim, candidates, claim.vramGb ?? parsed.memoryGb) };
  if (fitting.length > 1) return { reason: reasonForSeveral(claim, fitting) };
  return found;
}
