import { z } from "zod";
import {
  choice,
  count,
  flag,
  number,
  optional,
  pagingParameters,
  parameter,
  parameterWithDefault,
  reference,
  text,
  timestamp,
  withDefault,
} from "./common";
import {
  catalogueFormats,
  currencies,
  hostStatuses,
  hostStatusReasons,
  importRuntimes,
  instancePhases,
  instanceStatuses,
  roles,
} from "./words";

const owner = z.strictObject({ id: z.string(), email: z.string() }).meta({ id: "Owner" });

function searchParameter(description: string) {
  return parameter(text({ max: 200 })).meta({ type: "string", maxLength: 200, description });
}

const shownOnce = z.string().nullable();

export const operatorAccount = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(z.enum(roles)),
    created_at: timestamp,
    suspended_at: timestamp.nullable(),
    balance: z.number().meta({ description: "USD" }),
    instances_count: count.meta({ description: "Not destroyed" }),
    hosts_count: count.meta({ description: "Not deleted" }),
  })
  .meta({ id: "OperatorAccount" });

export const newOperatorAccount = operatorAccount
  .extend({
    sign_in_link: shownOnce.meta({
      description: "Good once, within a day. Shown this once; null in a repeated answer",
    }),
  })
  .meta({ id: "NewOperatorAccount" });

export const accountLink = z
  .strictObject({
    url: shownOnce.meta({ description: "Shown this once; null in a repeated answer" }),
    expires_at: timestamp,
  })
  .meta({ id: "AccountLink" });

export const accountBalance = z
  .strictObject({ balance: z.number().meta({ description: "What is available now, USD" }) })
  .meta({ id: "AccountBalance" });

export const accountParams = z.object({ account_id: reference() });

export const listAccountsQuery = z.object({
  search: searchParameter("Only accounts with this in their id, name or e-mail address."),
  ...pagingParameters,
});

export const createOperatorAccountBody = z
  .object({
    email: text({ min: 1, max: 254 }),
    name: text({ min: 1, max: 100 }),
    roles: withDefault(z.array(choice(roles)).max(roles.length), []).meta({
      description: "Beside `renter`, which everyone is.",
    }),
  })
  .meta({ id: "CreateOperatorAccountBody" });

const MOST_USD = 9_000_000_000;

export const creditAccountBody = z
  .object({
    kind: choice(["credit", "debit"]).meta({ description: "`debit` takes back, never below zero." }),
    amount: number()
      .positive()
      .max(MOST_USD)
      .refine((value) => Number(value.toFixed(6)) === value, {
        message: "Must have at most 6 decimals",
        params: { type: "decimal_max_places" },
      })
      .meta({ description: "USD" }),
    reference: text({ min: 1, max: 200 }).meta({
      description: "The operator's own name for it, such as an invoice: it moves its amount once.",
    }),
  })
  .meta({ id: "CreditAccountBody" });

export const operatorHost = z
  .strictObject({
    id: z.string(),
    owner,
    gpu_name: z.string().nullable().meta({ description: "null until its machine was measured" }),
    gpu_amount: count.nullable(),
    address: z.string().nullable(),
    status: z.enum(hostStatuses),
    status_reason: z.enum(hostStatusReasons).nullable(),
    verified_at: timestamp.nullable(),
    banned_at: timestamp.nullable(),
    rented: z.boolean(),
    simulated: z.boolean(),
    last_report_at: timestamp.nullable(),
    problem: z.string().nullable().meta({
      description: "What its self-test refused, or why its gateway was not reached, in words",
    }),
  })
  .meta({ id: "OperatorHost" });

export const listOperatorHostsQuery = z.object({
  search: searchParameter("Only hosts with this in their id, address, GPU or owner's e-mail address."),
  status: parameter(z.enum(hostStatuses)).meta({ description: "Only of this status." }),
  ...pagingParameters,
});

const verdicts = ["verify", "unverify", "ban", "unban"] as const;
/** What an operator may say of a host. */
export type Verdict = (typeof verdicts)[number];

export const judgeHostBody = z.object({ verdict: choice(verdicts) }).meta({ id: "JudgeHostBody" });

export const operatorInstance = z
  .strictObject({
    id: z.string(),
    name: z.string().nullable(),
    status: z.enum(instanceStatuses),
    phase: z.enum(instancePhases),
    owner,
    host_id: z.string().nullable(),
    offer_id: z.string(),
    gpu_name: z.string(),
    gpu_amount: count,
    image: z.string().meta({ description: "With its tag" }),
    flagged_at: timestamp.nullable().meta({ description: "Since when an operator has an eye on it" }),
    flag_note: z.string().nullable(),
    created_at: timestamp,
    started_at: timestamp.nullable().meta({ description: "When it first ran" }),
    cost_per_hour: z.number().meta({ description: "Of now, USD; of a prepaid term its hourly price" }),
  })
  .meta({ id: "OperatorInstance" });

export const listOperatorInstancesQuery = z.object({
  search: searchParameter(
    "Only instances with this in their id or name, their host's id or their owner's e-mail address.",
  ),
  status: parameter(z.enum(instanceStatuses)).meta({
    description: "Only of this status. Default: all but destroyed ones.",
  }),
  ...pagingParameters,
});

export const operatorReason = z
  .object({
    reason: text({ min: 1, max: 200 }).meta({ description: "For the renter, who reads it in the event." }),
  })
  .meta({ id: "OperatorReason" });

export const operatorTemplate = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    image: z.string().meta({ description: "With its tag" }),
    owner,
    is_private: z.boolean(),
    published_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "OperatorTemplate" });

export const listOperatorTemplatesQuery = z.object({
  search: searchParameter("Only templates with this in their id, name, image or owner's e-mail address."),
  ...pagingParameters,
});

export const publishTemplateBody = z.object({ published: flag() }).meta({ id: "PublishTemplateBody" });

export const operatorRate = z
  .strictObject({
    currency: z.enum(currencies),
    units_per_usd: z.string().meta({ description: "A decimal" }),
    effective_at: timestamp,
    in_force: z.boolean().meta({ description: "The currency's rate of now" }),
  })
  .meta({ id: "OperatorRate" });

export const listRatesQuery = z.object(pagingParameters);

export const setRateBody = z
  .object({
    currency: choice(["RUB", "QOIN"]),
    units_per_usd: text({ min: 1, max: 20 }).meta({
      description: "More than zero; at most nine digits before the point and ten after it",
    }),
  })
  .meta({ id: "SetRateBody" });

export const ledgerReport = z
  .strictObject({
    ok: z.boolean(),
    checked: z.strictObject({ movements: count, balances: count, intervals: count, instances: count }),
    findings: z
      .array(
        z.strictObject({
          rule: z.string(),
          subject: z.string().meta({ description: "What breaks it" }),
          detail: z.string(),
        }),
      )
      .meta({ description: "At most a hundred a rule" }),
    sums: z
      .strictObject({
        renter: z.number(),
        escrow: z.number(),
        host: z.number(),
        fee: z.number(),
        credit: z.number(),
        payout: z.number(),
      })
      .meta({ description: "What each account of the ledger holds over all movements, USD; together zero" }),
  })
  .meta({ id: "LedgerReport" });

export const catalogueImport = z
  .strictObject({
    id: z.string(),
    name: z.string().meta({ description: "Of the file" }),
    source: z.string().meta({ description: "Imports of one source update each other" }),
    format: z.enum(catalogueFormats),
    runtime: z.enum(importRuntimes),
    status: z.enum(["running", "done", "failed"]).meta({
      description: "Nothing of a failed import took effect, and nothing of a running one yet.",
    }),
    size_bytes: count,
    read_bytes: count,
    counts: z.strictObject({
      read: count.meta({ description: "Rows" }),
      added: count,
      updated: count,
      unchanged: count,
      gone: count.meta({ description: "Offers of this source that the file no longer has: withdrawn" }),
      skipped: count,
    }),
    skipped: z
      .array(z.strictObject({ line: count, reason: z.string() }))
      .meta({ description: "The first hundred rows that were skipped, once it is done" }),
    error: z.string().nullable().meta({ description: "Why it failed, for people" }),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: "CatalogueImport" });

export const importParams = z.object({ import_id: reference() });

export const listImportsQuery = z.object(pagingParameters);

export const createImportQuery = z.object({
  name: text({ min: 1, max: 200 }).meta({
    description: "The file's name with its path, which tells the cloud that a SkyPilot file lists.",
  }),
  source: parameter(text({ min: 1, max: 200 })).meta({
    type: "string",
    maxLength: 200,
    description: "Imports of one name update each other. Default: of the cloud and the file.",
  }),
  format: parameter(z.enum(catalogueFormats)).meta({ description: "Default: told from the file." }),
  runtime: parameterWithDefault(z.enum(importRuntimes), "none").meta({
    description: "What stands behind the offers; with `none` they cannot be rented.",
  }),
});

/** What an operator may send as a catalogue, in bytes. */
export const LARGEST_IMPORT = 200 * 1024 * 1024;

export const flagInstanceBody = z
  .object({
    flagged: flag(),
    note: optional(text({ max: 1000 })).meta({ description: "For operators; gone with the flag." }),
  })
  .meta({ id: "FlagInstanceBody" });
