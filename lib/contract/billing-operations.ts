import type { z } from "zod";
import {
  billing,
  billingEntry,
  billingUsage,
  getBillingQuery,
  hostEarnings,
  listBillingEntriesQuery,
  listBillingUsageQuery,
  listHostEarningsQuery,
} from "./billing";
import { envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { hostParams } from "./host";
import { defineOperation } from "./operation";

const billingExample = {
  currency: "RUB",
  rate: { units_per_usd: "80", effective_at: "2026-01-01T00:00:00.000Z" },
  balance: 3361.12,
  accrued: 0.334259,
  burn_rate: 40.11112,
  money_ends_at: "2026-03-05T01:47:11.000Z",
  stage: "fine",
  grace: null,
  escrow: 640,
  earned: 0,
  paid_out: 0,
  owed: 0,
} satisfies z.output<typeof billing>;

const entryExample = {
  id: "48213-balance",
  at: "2026-03-01T12:01:00.000Z",
  day: "2026-03-01",
  kind: "usage",
  account: "balance",
  amount: -0.66848,
  amount_usd: -0.008356,
  currency: "RUB",
  rate: "80",
  instance_id: examples.ids.instance,
  host_id: examples.ids.host,
  reference: null,
} satisfies z.output<typeof billingEntry>;

const usageExample = {
  day: "2026-03-01",
  instance_id: examples.ids.instance,
  name: "training",
  amount: 561.55568,
  amount_usd: 7.019446,
  currency: "RUB",
  seconds_running: 50400,
} satisfies z.output<typeof billingUsage>;

const earningsExample = {
  day: "2026-03-01",
  amount: 11.4,
  amount_usd: 11.4,
  currency: "USD",
  seconds_rented: 86400,
} satisfies z.output<typeof hostEarnings>;

/** What one has, owes and earns. */
export const billingOperations = {
  getBilling: defineOperation({
    id: "getBilling",
    method: "GET",
    path: "/v0/billing",
    tag: "Billing",
    summary: "Return one's balance, what costs now and when the money ends",
    scope: "billing:read",
    query: getBillingQuery,
    response: envelope(billing),
    errors: [],
    example: { query: { currency: "RUB" }, response: { ok: true, data: billingExample } },
  }),

  listBillingEntries: defineOperation({
    id: "listBillingEntries",
    method: "GET",
    path: "/v0/billing/entries",
    tag: "Billing",
    summary: "List one's ledger entries",
    description:
      "What came to and went from one's own accounts, newest first: `balance` and `escrow` (paid ahead) as a renter, " +
      "`earnings` as a host owner. An entry is never changed; a later rate leaves its amount as it was. `Accept: text/csv` " +
      "gives the same rows as CSV with a header line, and without `limit` all of them, not only 1000. There, text that a " +
      "spreadsheet would take for a formula begins with an apostrophe.",
    scope: "billing:read",
    query: listBillingEntriesQuery,
    response: listEnvelope(billingEntry),
    alternatives: ["text/csv"],
    errors: [],
    example: {
      query: { currency: "RUB", from: "2026-03-01", to: "2026-03-31", kind: "usage", limit: "20" },
      response: { ok: true, data: [entryExample], total_items: 1 },
    },
  }),

  listBillingUsage: defineOperation({
    id: "listBillingUsage",
    method: "GET",
    path: "/v0/billing/usage",
    tag: "Billing",
    summary: "List what each instance cost, by day",
    description:
      "By UTC day and instance, the newest day first: what was used from the balance and out of what was paid ahead. " +
      "Settled each minute, and split exactly at midnight: a day's rows sum to its entries.",
    scope: "billing:read",
    query: listBillingUsageQuery,
    response: listEnvelope(billingUsage),
    errors: [],
    example: {
      query: { currency: "RUB", from: "2026-03-01", to: "2026-03-31" },
      response: { ok: true, data: [usageExample], total_items: 1 },
    },
  }),

  listHostEarnings: defineOperation({
    id: "listHostEarnings",
    method: "GET",
    path: "/v0/hosts/{host_id}/earnings",
    tag: "Billing",
    summary: "List what one's host earned, by day",
    description: "By UTC day, the newest first, after the operator's fee; also of a host that was deleted.",
    scope: "billing:read",
    params: hostParams,
    query: listHostEarningsQuery,
    response: listEnvelope(hostEarnings),
    errors: ["not_found"],
    example: {
      params: { host_id: examples.ids.host },
      query: { from: "2026-03-01", to: "2026-03-31" },
      response: { ok: true, data: [earningsExample], total_items: 1 },
    },
  }),
};
