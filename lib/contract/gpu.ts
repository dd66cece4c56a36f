import { z } from "zod";
import { count, currencyParameter, localeParameters, reference, timestamp, withLocale } from "./common";
import { currencies } from "./words";

const gpuFact = z
  .strictObject({
    name: z.string(),
    value: z.union([z.string(), z.number()]),
    unit: z.string().nullable(),
  })
  .meta({ id: "GpuFact" });

const gpuBenchmark = z
  .strictObject({
    name: z.string(),
    model: z.string().nullable(),
    score: z.number(),
    unit: z.string().nullable(),
    num_gpus: count,
    updated_at: timestamp.nullable(),
  })
  .meta({ id: "GpuBenchmark" });

/** Section 2.8. */
export const gpu = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    translit_name: z.string(),
    interface: z.string(),
    best_price: z.number().nullable().meta({
      description: "The lowest hourly price of one GPU among the live offers; null without any",
    }),
    currency: z.enum(currencies),
    features: z.array(z.string()),
    configuration: z.array(gpuFact),
    benchmarks: z.array(gpuBenchmark),
  })
  .meta({ id: "Gpu" });

export const gpuParams = z.object({ gpu_translit_name: reference() });

export const getGpuQuery = z
  .object({ ...localeParameters, currency: currencyParameter })
  .transform(withLocale);
