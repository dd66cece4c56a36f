import { z } from "zod";
import { count } from "./common";
import { searchBody } from "./offer";
import { filterNames } from "./words";

/** A search without its order and page. */
export const facetsBody = searchBody.pick({ currency: true, query: true }).meta({ id: "FacetsBody" });

const gpuFacet = z
  .strictObject({
    gpu_translit_name: z.string(),
    gpu_name: z.string(),
    vram: z.number().meta({ description: "GB of one GPU" }),
    count,
    rentable_count: count,
    best_price_per_gpu: z
      .number()
      .nullable()
      .meta({ description: "The lowest hourly price of one GPU among the rentable ones" }),
  })
  .meta({ id: "GpuFacet" });

const providerFacet = z
  .strictObject({ translit_name: z.string(), name: z.string(), is_third_party: z.boolean(), count })
  .meta({ id: "ProviderFacet" });

const placeFacet = z.strictObject({ name: z.string(), count }).meta({ id: "PlaceFacet" });

const cityFacet = z
  .strictObject({ name: z.string(), country: z.string().nullable(), count })
  .meta({ id: "CityFacet" });

const yesNoFacet = z.strictObject({ yes: count, no: count }).meta({ id: "YesNoFacet" });

const rangeFacet = z
  .strictObject({
    min: z.number().nullable(),
    max: z.number().nullable(),
    unknown: count.meta({ description: "Offers that do not say it" }),
    buckets: z
      .array(z.strictObject({ from: z.number(), to: z.number(), count }).meta({ id: "Bucket" }))
      .meta({
        description:
          "From the lowest to the highest without a gap, each without its upper end but the last. 20, evenly spaced by " +
          "logarithm where the values spread over more than 100×; the outermost hold the outliers. Fewer where there are too few values.",
      }),
  })
  .meta({ id: "RangeFacet" });

/** How many offers each filter would leave, each counted with the other filters on. */
export const marketFacets = z
  .strictObject({
    total_items: count,
    gpus: z.array(gpuFacet),
    providers: z.array(providerFacet),
    locations: z
      .strictObject({
        regions: z.array(placeFacet),
        countries: z.array(placeFacet),
        cities: z.array(cityFacet).max(200),
      })
      .meta({ id: "LocationFacets" }),
    gpu_amounts: z.array(z.strictObject({ value: z.number(), count }).meta({ id: "GpuAmountFacet" })),
    in_stock: yesNoFacet,
    rentable: yesNoFacet,
    ranges: z
      .strictObject({
        price: rangeFacet,
        vram: rangeFacet,
        ram: rangeFacet,
        disk: rangeFacet,
        vcpu: rangeFacet,
        cpu_cores: rangeFacet,
        cpu_freq: rangeFacet,
        memory_speed: rangeFacet,
        ethernet_in: rangeFacet,
        ethernet_out: rangeFacet,
        capacity: rangeFacet,
        score: rangeFacet,
      })
      .meta({ id: "RangeFacets", description: "`price` is of the whole offer, for an hour" }),
  })
  .meta({ id: "MarketFacets" });

export const relaxation = z
  .strictObject({
    filter: z.enum(filterNames),
    total_items: count.meta({ description: "Offers that there would be without it" }),
  })
  .meta({ id: "Relaxation" });
