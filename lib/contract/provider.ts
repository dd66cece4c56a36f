import { z } from "zod";
import {
  count,
  localeParameters,
  pagingParameters,
  parameterWithDefault,
  reference,
  withLocale,
} from "./common";

/** Section 2.7. */
export const provider = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    translit_name: z.string(),
    country: z.string().nullable(),
    logo: z.string().nullable(),
    description: z.string().nullable(),
    offers: count.meta({ description: "Its live offers" }),
    gpus_count: count.meta({ description: "The GPUs in them" }),
  })
  .meta({ id: "Provider" });

export const providerSorts = ["score_asc", "score_desc"] as const;
export type ProviderSort = (typeof providerSorts)[number];

export const providerParams = z.object({ provider_translit_name: reference() });

export const listProvidersQuery = z
  .object({
    sort_by: parameterWithDefault(z.enum(providerSorts), "score_desc").meta({
      description: "A provider's score is the mean of its offers'.",
    }),
    ...localeParameters,
    ...pagingParameters,
  })
  .transform(withLocale);
