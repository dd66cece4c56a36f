import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureMachine } from "@/agent/probe/measure-machine";
import { readGpus } from "@/agent/probe/read-gpus";
import { programRunner } from "@/agent/probe/run-program";
import { selfTest } from "@/agent/probe/self-test";
import { type Machine, machine as machineSchema, selfTestFailure } from "@/lib/contract/agent-protocol";
import { describeWithEngine } from "../support/describe-with-engine";
import { startTestEngine, TEST_IMAGE, type TestEngine } from "../support/test-engine";

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "p-probe-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A runner on a PATH with these shell scripts alone, beside the system's programs where `sh` needs them. */
async function programs(scripts: Record<string, string>) {
  made += 1;
  const bin = join(folder, `bin-${made}`);
  await mkdir(bin);
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return programRunner({ ...process.env, PATH: `${bin}:/bin:/usr/bin` });
}

const smi = (rows: string, head = "Driver Version: 550.54.15      CUDA Version: 12.4     |") => `
if [ "$1" = "--query-gpu=uuid,name,memory.total" ] && [ "$2" = "--format=csv,noheader,nounits" ]; then
cat <<'ROWS'
${rows}
ROWS
else
cat <<'HEAD'
Wed Jan 24 15:18:40 2024
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.15              ${head}
|-----------------------------------------+------------------------+----------------------+
HEAD
fi`;
const TWO_4090 = smi(
  "GPU-5c1b4c6a-0b0e-7a3c-1b0e-4f3d2c1b0a99, NVIDIA GeForce RTX 4090, 24564\nGPU-88ab4c6a-0b0e-7a3c-1b0e-4f3d2c1b0a11, NVIDIA GeForce RTX 4090, 24564",
);
const NO_DRIVER =
  'echo "NVIDIA-SMI has failed because it couldn\'t communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running."; echo; exit 9';
const json = (value: unknown, before = "") => `cat <<'JSON'\n${before}${JSON.stringify(value)}\nJSON`;

describe("GPUs", () => {
  test("PRB-02 reads NVIDIA GPUs and the newest CUDA of the driver", async () => {
    expect(await readGpus(await programs({ "nvidia-smi": TWO_4090 }))).toEqual({
      gpus: [
        {
          uuid: "GPU-5c1b4c6a-0b0e-7a3c-1b0e-4f3d2c1b0a99",
          vendor: "NVIDIA",
          name: "NVIDIA GeForce RTX 4090",
          vramGb: 24,
        },
        {
          uuid: "GPU-88ab4c6a-0b0e-7a3c-1b0e-4f3d2c1b0a11",
          vendor: "NVIDIA",
          name: "NVIDIA GeForce RTX 4090",
          vramGb: 24,
        },
      ],
      maxCudaVersion: 12.4,
      problem: null,
    });
  });

  test.each([
    ["Driver Version: 450.57       CUDA Version: 11.0     |", 11],
    ["KMD Version: 610.43.03     CUDA UMD Version: 13.1     |", 13.1],
    ["Driver Version: 331.62         |", null],
    ["Driver Version: 545.23     CUDA Version: N/A      |", null],
  ])("PRB-02 finds CUDA's version in %s", async (head, version) => {
    const run = await programs({ "nvidia-smi": smi("GPU-1, NVIDIA L4, 23034", head) });
    expect(await readGpus(run)).toMatchObject({
      maxCudaVersion: version,
      gpus: [{ name: "NVIDIA L4", vramGb: 22.5 }],
    });
  });

  test("PRB-03 reads AMD GPUs of old and new rocm-smi, without the processor's own graphics", async () => {
    const newer = {
      card0: {
        "Unique ID": "0x9246a1b2c3d4e5f6",
        "VRAM Total Memory (B)": "206141652992",
        "VRAM Total Used Memory (B)": "297259008",
        "Card Series": "AMD Instinct MI300X",
        "Card Model": "0x74a1",
        "Card Vendor": "Advanced Micro Devices, Inc. [AMD/ATI]",
        "GFX Version": "gfx942",
      },
      card1: { "Unique ID": "N/A", "VRAM Total Memory (B)": "67108864", "Card Series": "Raphael" },
      system: { "Driver version": "6.7.0" },
    };
    const run = await programs({
      "rocm-smi": json(
        newer,
        "WARNING: AMD GPU device(s) is/are in a low-power state. Check power control\n",
      ),
    });
    expect((await readGpus(run)).gpus).toEqual([
      { uuid: "0x9246a1b2c3d4e5f6", vendor: "AMD", name: "AMD Instinct MI300X", vramGb: 192 },
    ]);
    const older = {
      card0: {
        "Card series": "Arcturus GL-XL [AMD Instinct MI100]",
        "Card model": "0x0c34",
        "VRAM Total Memory (B)": 34342961152,
      },
    };
    expect((await readGpus(await programs({ "rocm-smi": json(older) }))).gpus).toEqual([
      { uuid: "card0", vendor: "AMD", name: "Arcturus GL-XL [AMD Instinct MI100]", vramGb: 32 },
    ]);
  });

  test("PRB-04 a machine without the tools, or without AMD cards, has no GPU and no problem", async () => {
    const none = { gpus: [], maxCudaVersion: null, problem: null };
    expect(await readGpus(await programs({}))).toEqual(none);
    expect(
      await readGpus(await programs({ "rocm-smi": "echo 'WARNING: No JSON data to report'; exit 0" })),
    ).toEqual(none);
  });

  test.each([
    ["nvidia-smi", NO_DRIVER, /exit code 9: NVIDIA-SMI has failed because it couldn't communicate/],
    ["nvidia-smi", "echo 'No devices were found'; exit 6", /exit code 6: No devices were found/],
    [
      "nvidia-smi",
      "echo 'Failed to initialize NVML: Driver/library version mismatch'; echo 'NVML library version: 535.161' >&2; exit 18",
      /Driver\/library version mismatch NVML library version/,
    ],
    ["nvidia-smi", smi("GPU-1, NVIDIA GB10, [N/A]"), /says of a GPU only: GPU-1, NVIDIA GB10, \[N\/A\]/],
    ["nvidia-smi", "exit 0", /lists no GPU/],
    ["nvidia-smi", "kill -SEGV $$", /did not end in time|exit code 139/],
    [
      "rocm-smi",
      "echo 'ERROR:root:Driver not initialized (amdgpu not found in modules)'; exit 0",
      /Driver not initialized/,
    ],
  ])("PRB-05 a %s that fails is a broken driver, in its own words: %s", async (name, script, words) => {
    const found = await readGpus(await programs({ [name]: script }));
    expect(found.gpus).toEqual([]);
    expect(found.problem).toMatch(words);
  });

  test("PRB-05 a driver that hangs is ended", async () => {
    const run = await programs({ "nvidia-smi": "exec sleep 600" });
    expect(await run("nvidia-smi", [], 100)).toMatchObject({ exitCode: null });
  });
});

const FITTING: Machine = {
  gpus: [],
  cpuName: null,
  vcpu: 16,
  cpuCores: 8,
  cpuFreqGhz: 4,
  ramGb: 64,
  diskGb: 500,
  maxCudaVersion: 12.4,
  ethernetInMbps: null,
  ethernetOutMbps: null,
};
const L4 = { uuid: "GPU-1", vendor: "NVIDIA" as const, name: "NVIDIA L4", vramGb: 22.5 };

describe("self-test without an engine", () => {
  const docker = new Docker({ socketPath: "/nonexistent/engine.sock" });

  test("PRB-06 an engine that does not answer cannot run containers, and says what to do", async () => {
    const failures = await selfTest({ run: await programs({}), docker, machine: FITTING, slots: 1 });
    expect(failures.map(({ code }) => code)).toEqual(["engine_cannot_run"]);
    expect(failures[0]?.detail).toMatch(/does not answer .*ENOENT.*start it/);
  });

  test.each<[string, Partial<Machine>, number, string[]]>([
    ["too little disk for two offers", { diskGb: 1 }, 2, ["disk_too_small"]],
    ["just enough disk", { diskGb: 2 }, 2, []],
    ["too little memory", { ramGb: 0.4 }, 1, ["memory_too_small"]],
  ])("PRB-07 %s", async (_, differs, slots, codes) => {
    const machine = { ...FITTING, ...differs };
    const failures = await selfTest({ run: await programs({}), docker, machine, slots });
    expect(failures.map(({ code }) => code)).toEqual(["engine_cannot_run", ...codes]);
  });

  test.each<[string, string, number, string[]]>([
    [
      "three GPUs in two offers",
      "GPU-1, NVIDIA L4, 23034\nGPU-2, NVIDIA L4, 23034\nGPU-3, NVIDIA L4, 23034",
      2,
      ["slots_uneven"],
    ],
    ["two models", "GPU-1, NVIDIA L4, 23034\nGPU-2, Tesla T4, 15360", 1, ["gpus_mixed"]],
    [
      "two sizes of a name",
      "GPU-1, NVIDIA GeForce RTX 3080, 10240\nGPU-2, NVIDIA GeForce RTX 3080, 12288",
      1,
      ["gpus_mixed"],
    ],
    ["ECC on one of two", "GPU-1, NVIDIA RTX A6000, 49140\nGPU-2, NVIDIA RTX A6000, 46068", 2, []],
  ])("PRB-08 %s", async (_, rows, slots, codes) => {
    const run = await programs({ "nvidia-smi": smi(rows) });
    const machine = { ...FITTING, gpus: (await readGpus(run)).gpus };
    const failures = await selfTest({ run, docker, machine, slots });
    expect(failures.map(({ code }) => code)).toEqual(["engine_cannot_run", ...codes]);
  });

  test("PRB-09 a broken driver, and one that loses a GPU between two looks, fails with its words", async () => {
    const broken = await selfTest({
      run: await programs({ "nvidia-smi": NO_DRIVER }),
      docker,
      machine: FITTING,
      slots: 1,
    });
    expect(broken.map(({ code }) => code)).toContain("gpu_driver_broken");
    expect(selfTestFailure.parse(broken.at(-1)).detail).toMatch(
      /communicate with the NVIDIA driver.*Reinstall/,
    );
    const gone = await selfTest({
      run: await programs({}),
      docker,
      machine: { ...FITTING, gpus: [L4] },
      slots: 1,
    });
    expect(gone.map(({ code }) => code)).toContain("gpu_driver_broken");
  });
});

describeWithEngine("on a real engine", () => {
  let engine: TestEngine;
  let docker: Docker;
  beforeAll(async () => {
    engine = await startTestEngine();
    docker = new Docker({ socketPath: engine.socket });
  });
  afterAll(() => engine.remove());

  test("PRB-10 measures this machine, and free disk where the engine stores", async () => {
    const measured = await measureMachine({
      run: await programs({ "nvidia-smi": TWO_4090 }),
      diskPath: null,
      docker,
    });
    expect(machineSchema.parse(measured)).toEqual(measured);
    expect(measured.gpus).toHaveLength(2);
    expect(measured.maxCudaVersion).toBe(12.4);
    expect(measured.vcpu).toBeGreaterThanOrEqual(1);
    expect(measured.cpuName).toMatch(/\w/);
    expect(measured.diskGb).toBeGreaterThan(0);
    expect(Number.isInteger(measured.ramGb)).toBe(true);
  });

  test("PRB-10 without an engine, disk is measured where it was said", async () => {
    const away = new Docker({ socketPath: "/nonexistent/engine.sock" });
    const run = await programs({});
    expect((await measureMachine({ run, diskPath: tmpdir(), docker: away })).diskGb).toBeGreaterThan(0);
    expect((await measureMachine({ run, diskPath: null, docker: away })).diskGb).toBe(0);
  });

  test("PRB-11 a working engine passes, and its trial container is gone", async () => {
    await engine.podman("create", "--name", "berth-self-test", TEST_IMAGE);
    expect(await selfTest({ run: await programs({}), docker, machine: FITTING, slots: 1 })).toEqual([]);
    expect(await docker.listContainers({ all: true })).toEqual([]);
  });

  test("PRB-12 NVIDIA GPUs need a way into containers: CDI, an OCI hook, or the toolkit's program", async () => {
    const machine = { ...FITTING, gpus: [L4] };
    const nvidia = smi("GPU-1, NVIDIA L4, 23034");
    const test = async (paths: { cdi: string[]; hooks: string[] }, more: Record<string, string> = {}) =>
      (
        await selfTest({
          run: await programs({ "nvidia-smi": nvidia, ...more }),
          docker,
          machine,
          slots: 1,
          paths: { ...paths, kfd: "/dev/null" },
        })
      ).map(({ code }) => code);
    const nowhere = { cdi: [join(folder, "none")], hooks: [] };
    expect(await test(nowhere)).toEqual(["gpu_not_in_containers"]);

    const cdi = join(folder, "cdi");
    await mkdir(cdi);
    await writeFile(join(cdi, "nvidia.yaml"), "cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices: []\n");
    expect(await test({ cdi: [cdi], hooks: [] })).toEqual([]);
    const hooks = join(folder, "hooks");
    await mkdir(hooks);
    await writeFile(
      join(hooks, "oci-nvidia-hook.json"),
      '{"hook":{"path":"/usr/bin/nvidia-container-toolkit"}}',
    );
    expect(await test({ cdi: [], hooks: [hooks] })).toEqual([]);
    expect(await test(nowhere, { "nvidia-container-runtime-hook": "exit 0" })).toEqual([]);
  });

  test("PRB-12 AMD GPUs need the compute driver's device file", async () => {
    const card = {
      "Unique ID": "0x1",
      "VRAM Total Memory (B)": "34342961152",
      "Card Series": "AMD Instinct MI100",
    };
    const run = await programs({ "rocm-smi": json({ card0: card }) });
    const machine = { ...FITTING, gpus: (await readGpus(run)).gpus };
    const test = async (kfd: string) =>
      (await selfTest({ run, docker, machine, slots: 1, paths: { cdi: [], hooks: [], kfd } })).map(
        ({ code }) => code,
      );
    expect(await test("/nonexistent/kfd")).toEqual(["gpu_not_in_containers"]);
    expect(await test("/dev/null")).toEqual([]);
  });
});
