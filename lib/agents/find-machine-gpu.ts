import type { GpuModel } from "../catalogue/gpu-models";
import { resolveGpuModel } from "../catalogue/gpu-names";
import type { MachineGpu } from "../contract/agent-protocol";

/** The catalogue model of a GPU that a driver named, by name and memory; null where it is none, or not certainly one. */
export function findMachineGpu(gpu: MachineGpu): GpuModel | null {
  const found = new Set<GpuModel>();
  for (const name of namesOf(gpu)) {
    const model = resolveGpuModel({ name, vramGb: gpu.vramGb, socket: null });
    if ("translitName" in model && model.vendor === gpu.vendor) found.add(model);
  }
  const [only, other] = found;
  return other === undefined ? (only ?? null) : null;
}

/**
 * AMD's tool gives the PCI list's name: chip, then boards in brackets, "Navi 31 [Radeon RX 7900 XT/7900 XTX]", of which the
 * memory tells one; and "VF" after the name of a card that a hypervisor handed on.
 */
function namesOf({ vendor, name }: MachineGpu): string[] {
  if (vendor !== "AMD") return [name];
  const inside = (/\[([^\]]+)\]/.exec(name)?.[1] ?? name).replace(/ VF$/, "");
  const [first = "", ...others] = inside.split("/").map((part) => part.trim());
  const family = /^\D*/.exec(first)?.[0] ?? "";
  return [first, ...others.map((other) => (/^\d/.test(other) ? family + other : other))];
}
