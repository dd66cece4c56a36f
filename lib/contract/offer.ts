import { z } from "zod";
import {
  blankable,
  blankableWithDefault,
  choice,
  count,
  currencyParameter,
  flag,
  number,
  pagingFields,
  reference,
  text,
  timestamp,
} from "./common";
import { currencies, offerSorts, reservePeriods } from "./words";

const amountInGb = z
  .strictObject({ amount: z.number().nullable(), unit: z.literal("gb") })
  .meta({ id: "AmountInGb" });

/** Section 2.2. A fact that nobody measured is null. */
export const configuration = z
  .strictObject({
    ram: amountInGb,
    disk: amountInGb,
    cpu_name: z.string().nullable(),
    vcpu: z.number().nullable(),
    cpu_cores: z.number().nullable(),
    cpu_freq: z.number().nullable().meta({ description: "GHz" }),
    memory_speed: z.number().nullable().meta({ description: "GB/s of GPU memory" }),
    ethernet_in: z.number().nullable().meta({ description: "Mbit/s" }),
    ethernet_out: z.number().nullable().meta({ description: "Mbit/s" }),
    capacity: z.number().nullable().meta({ description: "TFLOPS in FP32 of all GPUs together" }),
    max_cuda_version: z.number().nullable(),
  })
  .meta({ id: "Configuration" });

/** Section 2.3. */
export const location = z
  .strictObject({
    city: z.string().nullable(),
    country: z.string().nullable(),
    region: z.string().nullable(),
  })
  .meta({ id: "Location" });

const offerPrice = z
  .strictObject({
    currency: z.enum(currencies),
    period: z.enum(reservePeriods),
    price: z
      .number()
      .nonnegative()
      .meta({ description: "Of the whole offer, for an hour, after this period's discount" }),
    price_per_gpu: z.number().nonnegative().meta({ description: "The same for one GPU" }),
    discount: z.number().min(0).max(100).meta({ description: "Per cent" }),
  })
  .meta({ id: "OfferPrice" });

const diskPrice = z
  .strictObject({
    currency: z.enum(currencies),
    period: z.literal("month"),
    unit: z.literal("gb"),
    price: z.number().nonnegative(),
  })
  .meta({ id: "DiskPrice" });

const offerFacts = {
  id: z.string(),
  gpu_amount: count,
  gpu_name: z.string(),
  gpu_translit_name: z.string().nullable(),
  vram: z.number().nullable().meta({ description: "GB of one GPU" }),
  configuration,
  in_stock: z.boolean().meta({ description: "Nobody rents it and its machine answers" }),
  rentable: z.boolean().meta({ description: "In stock, priced, and a runtime stands behind it" }),
  prices: z.array(offerPrice).meta({ description: "One for each period; empty until a price is set" }),
  disk_prices: z.array(diskPrice),
  location,
  url: z.string().nullable(),
  is_third_party: z.boolean(),
};

/** Section 2.4, with the additions that tell a renter what stands behind an offer. */
export const marketOffer = z
  .strictObject({
    ...offerFacts,
    provider_translit_name: z.string(),
    simulated: z.boolean().meta({ description: "A labelled stand-in: nothing real runs on it" }),
    score: z.number().min(0).max(100),
    host_verified: z.boolean(),
    updated_at: timestamp,
  })
  .meta({ id: "MarketOffer" });

export const marketOfferParams = z.object({ offer_id: reference() });

export const marketOfferQuery = z.object({ currency: currencyParameter });

/** Section 2.6. */
export const embeddedProvider = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    translit_name: z.string(),
    country: z.string().nullable(),
    logo: z.string().nullable(),
    meta_title: z.string().nullable(),
    meta_description: z.string().nullable(),
    use_vpn: z.boolean(),
  })
  .meta({ id: "EmbeddedProvider" });

/** Section 2.5. */
export const fullOffer = z
  .strictObject({
    ...offerFacts,
    provider: embeddedProvider,
    extra: z.record(z.string(), z.json()).meta({
      type: "object",
      additionalProperties: true,
      description: "What else is known of it, for instance `simulated`",
    }),
    offers_amount: count.meta({ description: "Live offers of this GPU" }),
    countries_amount: count.meta({ description: "Countries that have live offers of this GPU" }),
    available_until: timestamp.nullable(),
    real_price: z.number().nullable().meta({ description: "For an hour, before any discount" }),
    disk_real_price: z.number().nullable().meta({ description: "Of a GB for a month" }),
  })
  .meta({ id: "FullOffer" });

const word = () => blankable(text({ max: 200 }));
const words = () => blankable(z.array(text({ max: 200 })).max(200));
const bound = () => blankable(number());
const truth = () => blankable(flag());

/** Section 4.2. All filters hold together; `null`, `""` and `[]` mean absent. */
export const searchFilters = z
  .object({
    location: words().meta({ description: "City, country or region is any of these, ignoring case" }),
    gpu_translit_name: words().meta({ description: "Any of these" }),
    provider: word().meta({ description: "Its translit name or its name" }),
    cpu_name: word().meta({ description: "A part of the name, ignoring case" }),
    in_stock: truth(),
    rentable: truth(),
    gpu_amount: bound(),
    score_gt: bound(),
    price_gt: bound().meta({ description: "Of the offer's hourly price in the asked currency" }),
    price_lt: bound().meta({ description: "Of the offer's hourly price in the asked currency" }),
    vram_gt: bound(),
    vram_lt: bound(),
    ram_gt: bound(),
    ram_lt: bound(),
    disk_gt: bound(),
    disk_lt: bound(),
    vcpu_gt: bound(),
    vcpu_lt: bound(),
    cpu_cores_gt: bound(),
    cpu_cores_lt: bound(),
    cpu_freq_gt: bound(),
    cpu_freq_lt: bound(),
    memory_speed_gt: bound(),
    memory_speed_lt: bound(),
    ethernet_in_gt: bound(),
    ethernet_in_lt: bound(),
    ethernet_out_gt: bound(),
    ethernet_out_lt: bound(),
    capacity_gt: bound(),
    capacity_lt: bound(),
  })
  .meta({ id: "SearchFilters" });

export type SearchFilters = z.output<typeof searchFilters>;

export const searchBody = z
  .object({
    currency: blankableWithDefault(choice(currencies), "USD"),
    query: blankableWithDefault(searchFilters, {}),
    sort_by: blankableWithDefault(choice(offerSorts), "price_asc"),
    ...pagingFields,
  })
  .meta({ id: "SearchBody" });
