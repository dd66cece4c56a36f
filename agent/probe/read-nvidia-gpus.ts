import type { MachineGpu } from "@/lib/contract/agent-protocol";
import { type DriverAnswer, driverWords } from "./driver-answer";
import type { RunProgram } from "./run-program";

const QUERY = ["--query-gpu=uuid,name,memory.total", "--format=csv,noheader,nounits"];
// A driver that is not kept loaded starts all GPUs first: seconds for each on a large machine.
const TIMEOUT_MS = 60_000;

/**
 * The NVIDIA GPUs of this machine, by nvidia-smi.
 * https://docs.nvidia.com/deploy/nvidia-smi: memory.total is in MiB; a field that the GPU has not is "[N/A]".
 */
export async function readNvidiaGpus(run: RunProgram): Promise<DriverAnswer> {
  const ended = await run("nvidia-smi", QUERY, TIMEOUT_MS);
  if (ended === null) return { gpus: [], maxCudaVersion: null, problem: null };
  if (ended.exitCode !== 0) return broken(driverWords("nvidia-smi", ended));
  const rows = ended.stdout.split("\n").filter((row) => row.trim() !== "");
  const gpus = rows.map(parseRow);
  const strange = rows.find((_, index) => gpus[index] === null);
  if (strange !== undefined) return broken(`nvidia-smi says of a GPU only: ${strange.trim()}`);
  if (gpus.length === 0) return broken("nvidia-smi lists no GPU");
  return {
    gpus: gpus.filter((gpu) => gpu !== null),
    maxCudaVersion: await readCudaVersion(run),
    problem: null,
  };
}

function broken(problem: string): DriverAnswer {
  return { gpus: [], maxCudaVersion: null, problem };
}

/** "GPU-…, NVIDIA GeForce RTX 4090, 24564": the name stands between, whatever is in it. */
function parseRow(row: string): MachineGpu | null {
  const fields = row.split(",").map((field) => field.trim());
  const uuid = fields[0] ?? "";
  const mebibytes = Number(fields.at(-1));
  const name = fields.slice(1, -1).join(", ");
  if (!/^(GPU|MIG)-/.test(uuid) || name === "" || !(mebibytes > 0)) return null;
  return { uuid, vendor: "NVIDIA", name, vramGb: Math.round((mebibytes / 1024) * 10) / 10 };
}

/** Its table's head says "CUDA Version: 12.4", and since driver 610 "CUDA UMD Version: 13.1". */
async function readCudaVersion(run: RunProgram): Promise<number | null> {
  const ended = await run("nvidia-smi", [], TIMEOUT_MS);
  const version = /CUDA (?:UMD )?Version *: *(\d+\.\d+)/i.exec(ended?.stdout ?? "")?.[1];
  return version === undefined || Number(version) === 0 ? null : Number(version);
}
