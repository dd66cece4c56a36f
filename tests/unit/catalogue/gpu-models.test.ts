import { describe, expect, test } from "vitest";
import { findGpuModel, gpuModels } from "@/lib/catalogue/gpu-models";

describe("the GPU catalogue", () => {
  test("CAT-01 has at least 55 models of both vendors and all three segments, each with a name of its own", () => {
    expect(gpuModels.length).toBeGreaterThanOrEqual(55);
    expect(new Set(gpuModels.map((model) => model.translitName)).size).toBe(gpuModels.length);
    expect(new Set(gpuModels.map((model) => model.name)).size).toBe(gpuModels.length);
    expect(new Set(gpuModels.map((model) => model.vendor))).toEqual(new Set(["NVIDIA", "AMD"]));
    expect(new Set(gpuModels.map((model) => model.segment)).size).toBe(3);
  });

  test.each(gpuModels.map((model) => [model.translitName, model] as const))(
    "CAT-01 %s has figures in range, a vendor's page and a description in both languages",
    (_, model) => {
      expect(model.vramGb).toBeGreaterThanOrEqual(6);
      expect(model.vramGb).toBeLessThanOrEqual(288);
      expect(model.memoryBandwidthGbps).toBeGreaterThanOrEqual(200);
      expect(model.memoryBandwidthGbps).toBeLessThanOrEqual(8000);
      expect(model.fp32Tflops).toBeGreaterThanOrEqual(4);
      expect(model.fp32Tflops).toBeLessThanOrEqual(170);
      expect(model.fp16Tflops ?? Number.POSITIVE_INFINITY).toBeGreaterThan(model.fp32Tflops);
      expect(model.tdpWatts).toBeGreaterThanOrEqual(60);
      expect(model.tdpWatts).toBeLessThanOrEqual(1400);
      expect(model.launchYear).toBeGreaterThanOrEqual(2016);
      expect(model.launchYear).toBeLessThanOrEqual(2026);
      expect(new URL(model.source).hostname).toMatch(/(^|\.)(nvidia\.com|nvidia\.cn|amd\.com)$/);
      expect(model.descriptionEn).toMatch(/^[\p{Lu}\d][^\p{Script=Cyrillic}]{30,}\.$/u);
      expect(model.descriptionRu).toMatch(/\p{Script=Cyrillic}{3,}.*\.$/u);
      expect(model.interface).toMatch(/^(PCIe [345]\.0 x(8|16)|SXM[2-6]|OAM|Grace Hopper Superchip)$/);
    },
  );

  test("CAT-01 a figure agrees with the architecture it comes from", () => {
    for (const model of gpuModels) {
      const isNvidia = model.vendor === "NVIDIA";
      expect(model.cudaCapability !== null, model.name).toBe(isNvidia);
      expect(model.features.includes("cuda"), model.name).toBe(isNvidia);
      expect(model.features.includes("rocm"), model.name).toBe(!isNvidia);
      expect(model.features.includes("bf16"), model.name).toBe(
        !["Pascal", "Volta", "Turing"].includes(model.architecture),
      );
      if (model.architecture === "Pascal") expect(model.fp16Tflops, model.name).toBeNull();
      // Every module carries HBM: below this a digit went missing.
      const isModule = /^(SXM|OAM)/.test(model.interface);
      if (isModule) expect(model.memoryBandwidthGbps, model.name).toBeGreaterThan(700);
      if (isModule) expect(model.segment, model.name).toBe("data-center");
    }
  });

  test("CAT-02 cards that differ in form or memory are models of their own", () => {
    const names = [
      "a100-pcie-40gb a100-pcie-80gb a100-sxm-40gb a100-sxm-80gb",
      "h100-pcie-80gb h100-sxm-80gb h100-nvl-94gb h200-sxm-141gb h200-nvl-141gb",
      "v100-pcie-16gb v100-pcie-32gb v100-sxm2-16gb v100-sxm2-32gb",
      "rtx-3080-10gb rtx-3080-12gb rtx-4060-ti-8gb rtx-4060-ti-16gb rtx-a2000-6gb rtx-a2000-12gb",
      "rtx-4090 b200-sxm-180gb mi300x",
    ]
      .join(" ")
      .split(" ");
    expect(names.filter((name) => findGpuModel(name) === null)).toEqual([]);
    expect(findGpuModel("h100")).toBeNull();
    const seen = new Set(
      gpuModels.map((model) => `${model.name.replace(/ \d+GB$/, "")}|${model.vramGb}|${model.interface}`),
    );
    expect(seen.size).toBe(gpuModels.length);
  });
});
