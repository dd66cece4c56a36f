import { z } from "zod";
import gpus from "../../prisma/seed/gpus.json" with { type: "json" };

const benchmarkSchema = z.object({
  name: z.string().min(1),
  model: z.string().min(1),
  score: z.number(),
  unit: z.string().min(1),
  num_gpus: z.int().positive(),
  updated_at: z.iso.datetime(),
});

const gpuRecordSchema = z
  .object({
    name: z.string().min(1),
    translit_name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    vendor: z.enum(["NVIDIA", "AMD"]),
    architecture: z.string().min(1),
    segment: z.enum(["consumer", "workstation", "data-center"]),
    vram_gb: z.number().positive(),
    memory_bandwidth_gbps: z.number().positive(),
    fp32_tflops: z.number().positive(),
    fp16_tflops: z.number().positive().nullable(),
    tdp_watts: z.number().positive(),
    interface: z.string().min(1),
    launch_year: z.int(),
    cuda_capability: z
      .string()
      .regex(/^\d+\.\d$/)
      .nullable(),
    features: z.array(z.string().min(1)),
    description_en: z.string().min(1),
    description_ru: z.string().min(1),
    source: z.url({ protocol: /^https$/ }),
    benchmarks: z.array(benchmarkSchema),
    aliases: z.array(z.string().min(1)),
  })
  .transform((record) => ({
    name: record.name,
    translitName: record.translit_name,
    vendor: record.vendor,
    architecture: record.architecture,
    segment: record.segment,
    vramGb: record.vram_gb,
    memoryBandwidthGbps: record.memory_bandwidth_gbps,
    fp32Tflops: record.fp32_tflops,
    fp16Tflops: record.fp16_tflops,
    tdpWatts: record.tdp_watts,
    interface: record.interface,
    launchYear: record.launch_year,
    cudaCapability: record.cuda_capability,
    features: record.features,
    descriptionEn: record.description_en,
    descriptionRu: record.description_ru,
    source: record.source,
    benchmarks: record.benchmarks,
    aliases: record.aliases,
  }));

/**
 * A GPU model as its vendor specifies it; every figure is of one GPU.
 *
 * `vramGb` GB; `memoryBandwidthGbps` GB/s of GPU memory; `fp32Tflops` vector (not tensor) peak;
 * `fp16Tflops` dense peak of the tensor or matrix units without sparsity, with the accumulator the vendor quotes
 * (FP16 on GeForce, whose FP32-accumulate rate is half of it), null where there are no such units or no figure is
 * published; `tdpWatts` of the board (graphics power where the vendor gives both); `interface` "PCIe 4.0 x16", "SXM5",
 * "OAM"; `cudaCapability` "8.9", null for AMD; `source` the vendor's page; `aliases` what other catalogues call it.
 */
export type GpuModel = z.output<typeof gpuRecordSchema>;

/** All known models, in the order of the seed file. */
export const gpuModels: readonly GpuModel[] = z.array(gpuRecordSchema).parse(gpus);

const byTranslitName = new Map(gpuModels.map((model) => [model.translitName, model]));

/** The model with this translit name ("rtx-4090"), or null. */
export function findGpuModel(translitName: string): GpuModel | null {
  return byTranslitName.get(translitName) ?? null;
}
