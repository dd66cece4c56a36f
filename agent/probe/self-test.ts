import type Docker from "dockerode";
import type { Machine, SelfTestFailure } from "@/lib/contract/agent-protocol";
import { checkGpuAccess, type GpuAccessPaths } from "./check-gpu-access";
import { readGpus } from "./read-gpus";
import type { RunProgram } from "./run-program";
import { testEngine } from "./test-engine";

const LEAST_DISK_GB = 1;
const LEAST_RAM_GB = 0.5;
/** Of one model: its cards differ by what ECC takes. */
const MOST_VRAM_DIFFERENCE = 0.08;

type SelfTestOptions = {
  run: RunProgram;
  docker: Docker;
  /** As `measureMachine` gave it. */
  machine: Machine;
  /** Into how many offers the machine is split. */
  slots: number;
  /** Where the engine's GPU settings lie, if not where they do on Linux. */
  paths?: GpuAccessPaths;
};

/** What keeps this machine from being rented, each with what to do; empty where nothing does. */
export async function selfTest(options: SelfTestOptions): Promise<SelfTestFailure[]> {
  const { run, docker, machine, slots, paths } = options;
  const engine = await testEngine(docker);
  return [
    ...engine.failures,
    ...checkSize(machine, slots),
    ...(await checkDriver(run, machine)),
    ...(engine.info === null ? [] : await checkGpuAccess({ run, info: engine.info, machine, paths })),
    ...checkGpus(machine, slots),
  ];
}

function checkSize(machine: Machine, slots: number): SelfTestFailure[] {
  const failures: SelfTestFailure[] = [];
  const among = slots === 1 ? "" : `, among ${slots} offers`;
  if (machine.diskGb / slots < LEAST_DISK_GB)
    failures.push({
      code: "disk_too_small",
      detail: `${machine.diskGb} GB are free where the container engine stores its images${among}, but each offer needs ${LEAST_DISK_GB}: free or add disk space there${slots === 1 ? "" : ", or make fewer offers"}.`,
    });
  if (machine.ramGb / slots < LEAST_RAM_GB)
    failures.push({
      code: "memory_too_small",
      detail: `This machine has ${machine.ramGb} GB of memory${among}, but each offer needs ${LEAST_RAM_GB}: ${slots === 1 ? "use a machine with more" : "make fewer offers"}.`,
    });
  return failures;
}

/** Asks the drivers anew: one that answers now but did not when the machine was measured is no better. */
async function checkDriver(run: RunProgram, machine: Machine): Promise<SelfTestFailure[]> {
  const { gpus, problem } = await readGpus(run);
  const vanished = gpus.length === machine.gpus.length ? null : "it lists other GPUs each time it is asked";
  const words = problem ?? vanished;
  if (words === null) return [];
  return [
    {
      code: "gpu_driver_broken",
      detail: `The GPU driver does not work (${words}). Reinstall the driver for the running kernel or reboot, until nvidia-smi or rocm-smi lists every GPU; if this machine has none, remove that program.`,
    },
  ];
}

function checkGpus({ gpus }: Machine, slots: number): SelfTestFailure[] {
  const failures: SelfTestFailure[] = [];
  const [first, ...others] = gpus;
  if (first === undefined) return failures;
  const odd = others.find(
    (gpu) =>
      gpu.name !== first.name ||
      gpu.vendor !== first.vendor ||
      Math.abs(gpu.vramGb - first.vramGb) > first.vramGb * MOST_VRAM_DIFFERENCE,
  );
  if (odd !== undefined)
    failures.push({
      code: "gpus_mixed",
      detail: `An offer's GPUs are all of one model, but this machine has ${first.name} (${first.vramGb} GB) and ${odd.name} (${odd.vramGb} GB): take one kind out, or hide it from the driver.`,
    });
  if (gpus.length % slots !== 0)
    failures.push({
      code: "slots_uneven",
      detail: `${gpus.length} GPUs cannot be split evenly into ${slots} offers: choose a number of slots that divides ${gpus.length}.`,
    });
  return failures;
}
