import type { MachineGpu } from "@/lib/contract/agent-protocol";
import type { ProgramEnd } from "./run-program";

/**
 * What a vendor's tool says. `vramGb` of a GPU is GiB with one decimal: vendors' "24 GB" is 24,564 MiB, and what ECC takes
 * is off (an L4 reports 22.5); the catalogue's own figure is found from name and memory at the server. `problem`: the tool
 * is installed but does not work, in the driver's words.
 */
export type DriverAnswer = { gpus: MachineGpu[]; maxCudaVersion: number | null; problem: string | null };

/** Why a tool failed, in its own words on one line, at most 300 characters. */
export function driverWords(program: string, ended: NonNullable<ProgramEnd>): string {
  const words = `${ended.stdout} ${ended.stderr}`.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const how = ended.exitCode === null ? "did not end in time" : `ended with exit code ${ended.exitCode}`;
  return words === "" ? `${program} ${how} and said nothing` : `${program} ${how}: ${words.slice(0, 300)}`;
}
