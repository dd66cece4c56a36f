import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Machine, SelfTestFailure } from "@/lib/contract/agent-protocol";
import type { RunProgram } from "./run-program";
import type { EngineInfo } from "./test-engine";

/** Folders that hold CDI specifications and OCI hooks, and the device file of AMD's compute driver. */
export type GpuAccessPaths = { cdi: string[]; hooks: string[]; kfd: string };

const ON_LINUX: GpuAccessPaths = {
  cdi: ["/etc/cdi", "/var/run/cdi"],
  hooks: ["/usr/share/containers/oci/hooks.d", "/etc/containers/oci/hooks.d"],
  kfd: "/dev/kfd",
};
const HOOK_PROGRAMS = ["nvidia-container-runtime-hook", "nvidia-container-toolkit"];

type AccessOptions = {
  run: RunProgram;
  info: EngineInfo;
  machine: Machine;
  paths?: GpuAccessPaths | undefined;
};

/** Whether the engine has any of the ways by which a container gets this machine's GPUs. */
export async function checkGpuAccess(options: AccessOptions): Promise<SelfTestFailure[]> {
  const { run, info, machine, paths = ON_LINUX } = options;
  const failures: SelfTestFailure[] = [];
  const has = (vendor: string) => machine.gpus.some((gpu) => gpu.vendor === vendor);
  if (has("NVIDIA") && !(await reachesNvidia(run, info, paths)))
    failures.push({
      code: "gpu_not_in_containers",
      detail:
        "The container engine cannot give NVIDIA GPUs to containers: install the NVIDIA Container Toolkit, then run `nvidia-ctk runtime configure --runtime=docker` and restart Docker; for Podman run `nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml`.",
    });
  if (has("AMD") && !(await exists(paths.kfd)))
    failures.push({
      code: "gpu_not_in_containers",
      detail: `${paths.kfd} is missing, by which containers compute on AMD GPUs: install the amdgpu driver with ROCm and load it (modprobe amdgpu).`,
    });
  return failures;
}

async function reachesNvidia(run: RunProgram, info: EngineInfo, paths: GpuAccessPaths): Promise<boolean> {
  if (info.Runtimes && "nvidia" in info.Runtimes) return true;
  if (await anyFileNames([...paths.cdi, ...(info.CDISpecDirs ?? [])], "nvidia.com/gpu")) return true;
  if (await anyFileNames(paths.hooks, "nvidia-container")) return true;
  // Docker finds the hook in PATH by itself, with no runtime registered.
  const hooks = await Promise.all(HOOK_PROGRAMS.map((program) => run(program, ["--version"])));
  return hooks.some((ended) => ended !== null);
}

async function anyFileNames(folders: string[], words: string): Promise<boolean> {
  for (const folder of folders)
    for (const name of await readdir(folder).catch(() => []))
      if ((await readFile(join(folder, name), "utf8").catch(() => "")).includes(words)) return true;
  return false;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
