import { z } from "zod";
import {
  currencyParameter,
  localeParameters,
  number,
  pagingParameters,
  reference,
  withLocale,
} from "./common";
import { fullOffer } from "./offer";

export const hostStatuses = ["inactive", "active", "maintenance", "error"] as const;
export type HostStatus = (typeof hostStatuses)[number];

export const hostStatusReasons = [
  "agent_unavailable",
  "engine_unavailable",
  "not_reachable",
  "price_not_set",
  "not_verified",
  "self_test_failed",
  "server_fail",
  "maintenance",
  "withdrawn",
  "banned",
] as const;
export type HostStatusReason = (typeof hostStatusReasons)[number];

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

export const updateHostBody = z
  .object({
    price: number()
      .positive()
      .max(MAX_HOST_PRICE)
      .refine((value) => Number(value.toFixed(6)) === value, {
        message: "Must have at most 6 decimals",
        params: { type: "decimal_max_places" },
      })
      .meta({ description: "For an hour of the whole offer, before discounts." }),
  })
  .meta({ id: "UpdateHostBody" });
