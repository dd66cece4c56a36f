import { describe, expect, test } from "vitest";
import { gpuModels } from "@/lib/catalogue/gpu-models";
import { resolveGpuModel } from "@/lib/catalogue/gpu-names";

function placed(name: string, vramGb: number | null = null, socket: string | null = null): string {
  const found = resolveGpuModel({ name, vramGb, socket });
  return "reason" in found ? `? ${found.reason}` : found.translitName;
}

describe("naming GPUs", () => {
  test.each([
    ["RTX_4090", 24564 / 1024, null, "rtx-4090"],
    ["NVIDIA GeForce RTX 4090", null, null, "rtx-4090"],
    ["rtx 4090 d", 24, null, "rtx-4090-d"],
    ["RTX_4070S_Ti", 16376 / 1024, null, "rtx-4070-ti-super"],
    ["RTX_4080S", 16, null, "rtx-4080-super"],
    ["GTX_1080_Ti", 11, null, "gtx-1080-ti"],
    ["RTX_3060", 12, null, "rtx-3060-12gb"],
    ["RTX_3060", 8, null, "rtx-3060-8gb"],
    ["RTX_4060_Ti", 16380 / 1024, null, "rtx-4060-ti-16gb"],
    ["RTX_3080", 12, null, "rtx-3080-12gb"],
    ["RTX_A2000", 12276 / 2 / 1024, null, "rtx-a2000-6gb"],
    ["RTX6000-Ada", 48, null, "rtx-6000-ada"],
    ["RTX_6000Ada", null, null, "rtx-6000-ada"],
    ["RTX_A6000", 48, null, "rtx-a6000"],
    ["Quadro RTX 6000", 24, null, "quadro-rtx-6000"],
    ["Q_RTX_8000", 48, null, "quadro-rtx-8000"],
    ["RTX 6000", 24, null, "quadro-rtx-6000"],
    ["RTX_PRO_6000_S", 97887 / 1024, null, "rtx-pro-6000-server"],
    ["RTX_PRO_6000_WS", 96, null, "rtx-pro-6000-workstation"],
    ["A100_SXM4", 40, null, "a100-sxm-40gb"],
    ["A100_SXM4", 80, null, "a100-sxm-80gb"],
    ["A100_PCIE", 80, null, "a100-pcie-80gb"],
    ["A100_80GB", 80, "PCIe", "a100-pcie-80gb"],
    ["A100_80GB", null, "SXM4", "a100-sxm-80gb"],
    ["NVIDIA A100-SXM4-80GB", null, null, "a100-sxm-80gb"],
    ["H100_80GB", 80, "SXM5", "h100-sxm-80gb"],
    ["H100", 94, "PCIe", "h100-nvl-94gb"],
    ["H100_NVL", 95830 / 1024, null, "h100-nvl-94gb"],
    ["NVIDIA H100 80GB HBM3", null, null, "h100-sxm-80gb"],
    ["H200", 143771 / 1024, null, "h200-sxm-141gb"],
    ["H200", 141, "PCIe", "h200-nvl-141gb"],
    ["NVIDIA GH200 480GB", 95, null, "gh200-96gb"],
    ["B200", 183359 / 1024, null, "b200-sxm-180gb"],
    ["B200_192GB", 192, "SXM6", "b200-sxm-180gb"],
    ["Tesla V100-SXM2-32GB", 32, null, "v100-sxm2-32gb"],
    ["Tesla T4", 15, null, "t4"],
    ["L40S", 46068 / 1024, null, "l40s"],
    ["A40", 46068 / 1024, null, "a40"],
    ["AMD Instinct MI300X", 192, "OAM", "mi300x"],
    ["RX 7900 XTX", 24, null, "rx-7900-xtx"],
  ])("CAT-03 %s with %s GB and socket %s is %s", (name, vramGb, socket, expected) => {
    expect(placed(name, vramGb, socket)).toBe(expected);
  });

  test.each([
    ["A100", 80, null, /could be A100 PCIe 80GB or A100 SXM 80GB.*the socket$/],
    ["A100", null, "SXM4", /the row must also give the memory$/],
    ["A100", null, null, /the memory and the socket$/],
    ["Tesla_V100", 16, null, /the socket$/],
    ["RTX_3080", null, null, /the memory$/],
    ["RTX PRO 6000", 96, null, /could be/],
    ["RTX_4090", 48, null, /known with 24 GB, but the row says 48 GB/],
    ["A100_80GB", 40, "SXM4", /none of which has the memory and socket/],
    ["H100_80GB", 80, "SXM4", /none of which/],
    ["H100", 96, null, /known with 80 or 94 GB/],
    ["Tesla V100-SXM3-32GB", 32, null, /none of which/],
    ["RTX 4090 Laptop GPU", 16, null, /no GPU model in the catalogue is called/],
    ["A100-SXM4-40GB MIG 1g.5gb", 5, null, /no GPU model/],
    ["A10G", 24, null, /no GPU model/],
    ["RTX 40900", 24, null, /no GPU model/],
    ["NVIDIA", null, null, /does not name a GPU/],
    ["", null, null, /does not name a GPU/],
    ["x".repeat(100_000), null, null, /too long/],
    ["\u0000\ud800\u202e", null, null, /does not name a GPU/],
  ])(
    "CAT-03 %s with %s GB and socket %s is not placed, and a reason says why",
    (name, vramGb, socket, reason) => {
      expect(placed(name, vramGb, socket)).toMatch(reason);
    },
  );

  test("CAT-03 every model is found by its own name, translit name and memory, and none by another's", () => {
    for (const model of gpuModels) {
      for (const name of [model.name, model.translitName]) {
        expect(placed(name), name).toBe(model.translitName);
        expect(placed(name, model.vramGb), name).toBe(model.translitName);
        expect(placed(name, model.vramGb * 0.94), name).toBe(model.translitName);
      }
    }
  });

  test("CAT-03 no alias with memory and socket leads to a model that lacks them", () => {
    for (const model of gpuModels) {
      for (const alias of model.aliases) {
        const found = placed(alias, model.vramGb, model.interface);
        if (!found.startsWith("?")) expect(found, alias).toBe(model.translitName);
        else expect(found, alias).toMatch(/could be/);
      }
    }
  });
});
