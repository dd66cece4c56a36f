import { z } from "zod";
import {
  count,
  currencyParameter,
  integerParameter,
  localeParameters,
  pagingParameters,
  reference,
  timestamp,
  withLocale,
} from "./common";
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

/** A GPU of the catalogue in a list, with what the market has of it now. */
export const gpuSummary = z
  .strictObject({
    translit_name: z.string(),
    name: z.string(),
    vendor: z.string(),
    architecture: z.string(),
    segment: z.string(),
    vram: z.number().meta({ description: "GB" }),
    memory_bandwidth: z.number().meta({ description: "GB/s" }),
    fp32: z.number().meta({ description: "TFLOPS" }),
    launch_year: z.number().int(),
    offers_count: count.meta({ description: "Live offers of it" }),
    rentable_count: count,
    best_price: z.number().nullable().meta({
      description: "The lowest hourly price of one GPU among the rentable offers; null without any",
    }),
    currency: z.enum(currencies),
  })
  .meta({ id: "GpuSummary" });

export const listGpusQuery = z.object({ currency: currencyParameter, ...pagingParameters });

export const gpuPrice = z
  .strictObject({
    at: timestamp.meta({ description: "The beginning of the hour, or of the UTC day" }),
    low: z.number().meta({ description: "The lowest hourly price of one GPU" }),
    median: z
      .number()
      .meta({ description: "The median of them; of a day, the median of its hours' medians" }),
    offers_count: count.meta({ description: "Rentable offers; of a day, the mean of its hours" }),
  })
  .meta({ id: "GpuPrice" });

/** How long prices are kept. */
export const PRICE_DAYS = 400;

export const listGpuPricesQuery = z.object({
  days: integerParameter({ min: 1, max: PRICE_DAYS, absent: 30 }).meta({
    description: "How far back. Up to 7 days: a point an hour; beyond: a point a UTC day.",
  }),
  currency: currencyParameter,
});
