import { z } from "zod";
import { currencyParameter, pagingParameters, parameter, reference, timestamp } from "./common";
import { balanceStages, currencies, movementKinds, ownAccounts } from "./words";

const currency = z.enum(currencies);
const unitsPerUsd = z.string().meta({ description: "Units of the currency for one USD, a decimal" });
const day = z.iso.date().meta({ description: "A UTC day" });
const seconds = z.number().nonnegative();

/** Amounts are in the currency asked for, at the rate in force now. */
export const billing = z
  .strictObject({
    currency,
    rate: z.strictObject({
      units_per_usd: unitsPerUsd,
      effective_at: timestamp,
    }),
    balance: z.number(),
    accrued: z
      .number()
      .meta({ description: "Used since the last settlement and not yet taken from the balance" }),
    burn_rate: z.number().meta({ description: "An hour of all that costs by the hour now" }),
    money_ends_at: timestamp.nullable().meta({
      description:
        "When the balance less what is accrued is used up at the burn rate of now; null where nothing costs, or not before the year 10000",
    }),
    stage: z.enum(balanceStages).meta({
      description:
        "`low`: less than 24 hours are left. `empty`: what runs by the hour is paused. `over`: the grace is used up, and it is destroyed.",
    }),
    grace: z.number().nullable().meta({
      description:
        "How far below zero the balance may go before what costs is destroyed; null unless it is empty or over",
    }),
    escrow: z.number().meta({ description: "Paid ahead and not used yet" }),
    earned: z.number().meta({ description: "By one's own machines, in all, less the operator's fee" }),
    paid_out: z.number(),
    owed: z.number().meta({ description: "Earned and not paid out yet" }),
  })
  .meta({ id: "Billing" });

export const billingEntry = z
  .strictObject({
    id: z
      .string()
      .meta({ description: "`<movement>-<account>`: a movement between two own accounts is two entries" }),
    at: timestamp,
    day: day.meta({ description: "The UTC day that it is for; a day can be settled later than it ends" }),
    kind: z.enum(movementKinds),
    account: z.enum(ownAccounts),
    amount: z.number().meta({
      description: "In the currency, at the rate in force at `at`; positive where the account receives",
    }),
    amount_usd: z.number().meta({ description: "What was moved, exactly" }),
    currency,
    rate: unitsPerUsd.meta({ description: "Units of the currency for one USD at `at`" }),
    instance_id: z.string().nullable(),
    host_id: z.string().nullable(),
    reference: z
      .string()
      .nullable()
      .meta({ description: "The operator's own name for a credit, a debit or a payout" }),
  })
  .meta({ id: "BillingEntry" });

/** An amount of a day: each part at the rate in force when it was moved. */
const amountOfDay = {
  amount: z
    .number()
    .meta({ description: "In the currency, each part at the rate in force when it was settled" }),
  amount_usd: z.number().meta({ description: "The same, exactly: the sum of the day's entries" }),
  currency,
};

export const billingUsage = z
  .strictObject({
    day,
    instance_id: z.string(),
    name: z.string().nullable(),
    ...amountOfDay,
    seconds_running: seconds.meta({
      description: "Of the day, as far as they are settled; to the microsecond",
    }),
  })
  .meta({ id: "BillingUsage" });

export const hostEarnings = z
  .strictObject({
    day,
    ...amountOfDay,
    seconds_rented: seconds.meta({
      description:
        "Of the day, running or paused for a renter who pays, as far as they are settled; to the microsecond",
    }),
  })
  .meta({ id: "HostEarnings" });

export const getBillingQuery = z.object({ currency: currencyParameter });

const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DAY_MS = 86_400_000;

/** An instant that the database can hold; entries are neither older than 1970 nor younger than the year 9999. */
function toInstant(ms: number): Date {
  return new Date(Math.min(Math.max(ms, 0), LAST_MS));
}

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

const instant = z
  .string()
  .refine((value) => isDay(value) || z.iso.datetime({ offset: true }).safeParse(value).success, {
    message: "Must be a date (2026-03-31), or a time with its offset (2026-03-31T12:00:00Z)",
    params: { type: "datetime_parsing" },
    abort: true,
  });

const instantParameters = {
  from: parameter(instant.transform((value) => toInstant(Date.parse(value)))).meta({
    type: "string",
    description:
      "From this instant, or UTC day, on: `2026-03-01` or `2026-03-01T00:00:00Z` (in a URL, `+` is `%2B`).",
  }),
  to: parameter(
    instant.transform((value) => {
      const ms = Date.parse(value);
      const end = isDay(value) ? ms + DAY_MS : ms;
      return { end: toInstant(end), last: toInstant(isDay(value) ? end - 1 : end) };
    }),
  ).meta({ type: "string", description: "Before this instant, or to the end of this UTC day." }),
};

function dayParameter(description: string) {
  const given = z
    .string()
    .refine(isDay, {
      message: "Must be a date, such as 2026-03-31",
      params: { type: "date_parsing" },
      abort: true,
    })
    .transform((value) => toInstant(Date.parse(value)).toISOString().slice(0, 10));
  return parameter(given).meta({ type: "string", format: "date", description });
}

const dayParameters = {
  from: dayParameter("The first UTC day. Default: 29 days before the last one."),
  to: dayParameter("The last UTC day. Default: today."),
};

/** Refuses a span that ends before it begins. */
function refuseBackwards<T extends Date | string>(
  from: T | undefined,
  last: T | undefined,
  ctx: z.RefinementCtx,
): void {
  if (from === undefined || last === undefined || from <= last) return;
  ctx.addIssue({
    code: "custom",
    path: ["to"],
    message: "Must not be before `from`",
    params: { type: "range" },
  });
}

function daysInOrder<Q extends { from?: string | undefined; to?: string | undefined }>(
  query: Q,
  ctx: z.RefinementCtx,
): Q {
  refuseBackwards(query.from, query.to, ctx);
  return query;
}

const idParameter = (what: string) =>
  parameter(reference()).meta({
    type: "string",
    description: `Only of this ${what}; one that is not there finds nothing.`,
  });

export const listBillingEntriesQuery = z
  .object({
    currency: currencyParameter,
    ...instantParameters,
    kind: parameter(z.enum(movementKinds)).meta({ description: "Only of this kind." }),
    account: parameter(z.enum(ownAccounts)).meta({ description: "Only of this account of one's own." }),
    instance_id: idParameter("instance"),
    host_id: idParameter("host"),
    ...pagingParameters,
  })
  .transform((query, ctx) => {
    refuseBackwards(query.from, query.to?.last, ctx);
    return { ...query, to: query.to?.end };
  });

export const listBillingUsageQuery = z
  .object({
    currency: currencyParameter,
    ...dayParameters,
    instance_id: idParameter("instance"),
    ...pagingParameters,
  })
  .transform(daysInOrder);

export const listHostEarningsQuery = z
  .object({ currency: currencyParameter, ...dayParameters, ...pagingParameters })
  .transform(daysInOrder);
