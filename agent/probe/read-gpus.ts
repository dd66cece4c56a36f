import type { DriverAnswer } from "./driver-answer";
import { readAmdGpus } from "./read-amd-gpus";
import { readNvidiaGpus } from "./read-nvidia-gpus";
import type { RunProgram } from "./run-program";

/** The GPUs of this machine, as their drivers name them. A machine without any has none, and no problem. */
export async function readGpus(run: RunProgram): Promise<DriverAnswer> {
  const [nvidia, amd] = await Promise.all([readNvidiaGpus(run), readAmdGpus(run)]);
  const problems = [nvidia.problem, amd.problem].filter((problem) => problem !== null);
  return {
    gpus: [...nvidia.gpus, ...amd.gpus],
    maxCudaVersion: nvidia.maxCudaVersion,
    problem: problems.length === 0 ? null : problems.join("; "),
  };
}
