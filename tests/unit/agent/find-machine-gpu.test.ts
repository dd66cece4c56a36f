import { expect, test } from "vitest";
import { findMachineGpu } from "@/lib/agents/find-machine-gpu";

// Names and MiB as nvidia-smi prints them, names and bytes as rocm-smi does.
const NVIDIA: [string, number, string | null][] = [
  ["NVIDIA GeForce RTX 4090", 24_564, "rtx-4090"],
  ["NVIDIA GeForce RTX 4090 D", 24_564, "rtx-4090-d"],
  ["NVIDIA GeForce RTX 5090", 32_607, "rtx-5090"],
  ["NVIDIA GeForce RTX 3090", 24_576, "rtx-3090"],
  ["NVIDIA GeForce RTX 3060", 12_288, "rtx-3060-12gb"],
  ["NVIDIA GeForce RTX 4060 Ti", 16_380, "rtx-4060-ti-16gb"],
  ["NVIDIA GeForce RTX 4060 Ti", 8188, "rtx-4060-ti-8gb"],
  ["NVIDIA GeForce RTX 4070 Ti SUPER", 16_376, "rtx-4070-ti-super"],
  ["NVIDIA GeForce GTX 1080 Ti", 11_264, "gtx-1080-ti"],
  ["NVIDIA GeForce GTX 1080 Ti", 11_178, "gtx-1080-ti"],
  ["GeForce RTX 2080 Ti", 11_019, "rtx-2080-ti"],
  ["NVIDIA A100-SXM4-80GB", 81_920, "a100-sxm-80gb"],
  ["NVIDIA A100-SXM4-40GB", 40_960, "a100-sxm-40gb"],
  ["NVIDIA A100-PCIE-40GB", 40_960, "a100-pcie-40gb"],
  ["NVIDIA A100 80GB PCIe", 81_920, "a100-pcie-80gb"],
  ["NVIDIA H100 80GB HBM3", 81_559, "h100-sxm-80gb"],
  ["NVIDIA H100 PCIe", 81_559, "h100-pcie-80gb"],
  ["NVIDIA H100 NVL", 95_830, "h100-nvl-94gb"],
  ["NVIDIA H200", 143_771, "h200-sxm-141gb"],
  ["NVIDIA H200 NVL", 143_771, "h200-nvl-141gb"],
  ["NVIDIA GH200 480GB", 97_871, "gh200-96gb"],
  ["NVIDIA B200", 183_359, "b200-sxm-180gb"],
  ["NVIDIA L4", 23_034, "l4"],
  ["NVIDIA L40", 46_068, "l40"],
  ["NVIDIA L40S", 46_068, "l40s"],
  ["NVIDIA A10", 23_028, "a10"],
  ["NVIDIA A16", 15_356, "a16"],
  ["NVIDIA A30", 24_576, "a30"],
  ["NVIDIA A40", 46_068, "a40"],
  ["Tesla T4", 15_360, "t4"],
  ["Tesla T4", 15_109, "t4"],
  ["Tesla P40", 24_576, "tesla-p40"],
  ["Tesla P100-PCIE-16GB", 16_384, "p100-pcie-16gb"],
  ["Tesla V100-SXM2-16GB", 16_384, "v100-sxm2-16gb"],
  ["Tesla V100-SXM2-32GB", 32_510, "v100-sxm2-32gb"],
  ["NVIDIA RTX A4000", 16_376, "rtx-a4000"],
  ["NVIDIA RTX A6000", 49_140, "rtx-a6000"],
  ["NVIDIA RTX A6000", 46_068, "rtx-a6000"],
  ["NVIDIA RTX 6000 Ada Generation", 49_140, "rtx-6000-ada"],
  ["NVIDIA RTX PRO 6000 Blackwell Server Edition", 97_887, "rtx-pro-6000-server"],
  ["NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 97_887, "rtx-pro-6000-workstation"],
  ["Quadro RTX 8000", 49_152, "quadro-rtx-8000"],
  ["Quadro RTX 6000", 24_576, "quadro-rtx-6000"],
  ["NVIDIA GeForce RTX 4090", 49_140, null],
  ["NVIDIA GeForce RTX 4060 Laptop GPU", 8188, null],
  ["NVIDIA B300 SXM6 AC", 275_040, null],
  ["NVIDIA A100-SXM4-80GB MIG 1g.10gb", 9728, null],
  ["Tesla V100", 16_384, null],
];
const AMD: [string, number, string | null][] = [
  ["AMD Instinct MI300X", 206_141_652_992, "mi300x"],
  ["AMD Instinct MI300X OAM", 206_158_430_208, "mi300x"],
  ["AMD Instinct MI300X VF", 206_141_652_992, "mi300x"],
  ["Aqua Vanjaram [Instinct MI300X]", 206_141_652_992, "mi300x"],
  ["Arcturus GL-XL [AMD Instinct MI100]", 34_342_961_152, "mi100"],
  ["Radeon RX 7900 XT", 21_458_059_264, "rx-7900-xt"],
  ["Radeon RX 7900 XTX", 25_753_026_560, "rx-7900-xtx"],
  ["Navi 31 [Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M]", 25_753_026_560, "rx-7900-xtx"],
  ["Navi 31 [Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M]", 21_458_059_264, "rx-7900-xt"],
  ["Navi 21 [Radeon RX 6800/6800 XT / 6900 XT]", 17_163_091_968, null],
  ["AMD INSTINCT MI200 (MCM) OAM LC MBA HPE C2", 68_702_699_520, null],
  ["NVIDIA H200", 150_754_820_096, null],
];
const rounded = (gib: number) => Math.round(gib * 10) / 10;

test.each(NVIDIA)("PRB-01 knows the catalogue's model of %s with %i MiB", (name, mebibytes, model) => {
  const gpu = { uuid: "GPU-1", vendor: "NVIDIA" as const, name, vramGb: rounded(mebibytes / 1024) };
  expect(findMachineGpu(gpu)?.translitName ?? null).toBe(model);
});

test.each(AMD)("PRB-01 knows the catalogue's model of %s with %i bytes", (name, bytes, model) => {
  const gpu = { uuid: "0x1", vendor: "AMD" as const, name, vramGb: rounded(bytes / 1024 ** 3) };
  expect(findMachineGpu(gpu)?.translitName ?? null).toBe(model);
});
