import { z } from "zod";
import {
  count,
  currencyParameter,
  localeParameters,
  number,
  pagingParameters,
  parameter,
  reference,
  timestamp,
  withLocale,
} from "./common";
import { fullOffer } from "./offer";
import { currencies, hostStatuses, hostStatusReasons } from "./words";

/** Section 2.12. */
export const host = z
  .strictObject({
    id: z.string(),
    offer: fullOffer,
    address: z.string().nullable(),
    agent_port: z.number().int().nullable(),
    fingerprint: z.string().nullable().meta({ description: "Of the agent's SSH host key" }),
    agent_id: z.string().nullable(),
    status: z.enum(hostStatuses),
    status_reason: z.enum(hostStatusReasons).nullable(),
  })
  .meta({ id: "Host" });

export const hostParams = z.object({ host_id: reference() });

export const listHostsQuery = z
  .object({ currency: currencyParameter, ...localeParameters, ...pagingParameters })
  .transform(withLocale);

export const updateHostQuery = z.object({ currency: currencyParameter });

/** In any currency; the domain holds the 10,000 USD. */
const MAX_HOST_PRICE = 100_000_000;

const hostPrice = number()
  .positive()
  .max(MAX_HOST_PRICE)
  .refine((value) => Number(value.toFixed(6)) === value, {
    message: "Must have at most 6 decimals",
    params: { type: "decimal_max_places" },
  });

export const updateHostBody = z
  .object({
    price: hostPrice.meta({ description: "For an hour of the whole offer, before discounts." }),
  })
  .meta({ id: "UpdateHostBody" });

const decimalText = z
  .string()
  .refine((value) => /^\d{1,9}(\.\d{1,20})?$/.test(value), {
    message: "Must be a decimal number written in digits",
    params: { type: "decimal_parsing" },
    abort: true,
  })
  .transform(Number)
  .pipe(hostPrice);

export const getHostOverviewQuery = z.object({
  price: parameter(decimalText).meta({
    type: "number",
    description: "A price to compare with the market's instead of the host's own, as `updateHost` takes it.",
  }),
  currency: currencyParameter,
});

const price = z.number().nonnegative();

/** What section 2.12 leaves out. */
export const hostOverview = z
  .strictObject({
    host_id: z.string(),
    created_at: timestamp,
    last_report_at: timestamp.nullable(),
    verified: z.boolean(),
    rented: z.boolean(),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why the machine cannot be reached or failed its self-test, in a sentence" }),
    failures: z.array(z.strictObject({ code: z.string(), detail: z.string() })),
    utilisation: z
      .array(z.strictObject({ day: z.iso.date(), seconds_rented: count, seconds_total: count }))
      .meta({
        description: "The last 7 UTC days, the oldest first; `seconds_total` counts since it is a host",
      }),
    price_position: z.strictObject({
      like_offers: count.meta({ description: "Others' priced offers of the same GPU on the market" }),
      cheaper: count.nullable().meta({
        description:
          "How many of them ask less for a GPU; null where the host has no price and none was given",
      }),
      median: price.nullable().meta({ description: "Of their prices for an hour of one GPU" }),
      low: price.nullable(),
      currency: z.enum(currencies),
    }),
  })
  .meta({ id: "HostOverview" });
