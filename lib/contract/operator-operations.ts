import type { z } from "zod";
import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { defineOperation } from "./operation";
import {
  accountBalance,
  accountLink,
  accountParams,
  createOperatorAccountBody,
  creditAccountBody,
  ledgerReport,
  listAccountsQuery,
  listRatesQuery,
  newOperatorAccount,
  operatorAccount,
  operatorRate,
  setRateBody,
} from "./operator";

const params = { account_id: examples.ids.account };
const done = { ok: true, data: null };

const accountExample = {
  id: examples.ids.account,
  name: "Ada",
  email: "ada@example.com",
  roles: ["renter"],
  created_at: "2026-03-01T12:00:00.000Z",
  suspended_at: null,
  balance: 25,
  instances_count: 0,
  hosts_count: 0,
} satisfies z.output<typeof operatorAccount>;

const linkExample = {
  url: "https://gpu.example.com/auth/magic-link/verify?token=x",
  expires_at: "2026-03-02T12:00:00.000Z",
} satisfies z.output<typeof accountLink>;

const rateExample = {
  currency: "RUB",
  units_per_usd: "80",
  effective_at: "2026-03-01T12:00:00.000Z",
  in_force: true,
} satisfies z.output<typeof operatorRate>;

const reportExample = {
  ok: true,
  checked: { movements: 1, balances: 1, intervals: 0, instances: 0 },
  findings: [],
  sums: { renter: 25, escrow: 0, host: 0, fee: 0, credit: -25, payout: 0 },
} satisfies z.output<typeof ledgerReport>;

/** What an operator does with accounts and money. */
export const operatorOperations = {
  listOperatorAccounts: defineOperation({
    id: "listOperatorAccounts",
    method: "GET",
    path: "/v0/operator/accounts",
    tag: "Operator",
    summary: "List all accounts",
    scope: "operator:read",
    role: "operator",
    query: listAccountsQuery,
    response: listEnvelope(operatorAccount),
    errors: [],
    example: {
      query: { search: "ada" },
      response: { ok: true, data: [accountExample], total_items: 1 },
    },
  }),

  createOperatorAccount: defineOperation({
    id: "createOperatorAccount",
    method: "POST",
    path: "/v0/operator/accounts",
    tag: "Operator",
    summary: "Create an account for somebody",
    description: "The person signs in by the one-time link and can set a password then.",
    scope: "operator:write",
    role: "operator",
    body: createOperatorAccountBody,
    response: envelope(newOperatorAccount),
    secretFields: ["sign_in_link"],
    errors: ["in_use"],
    example: {
      request: { email: accountExample.email, name: accountExample.name, roles: ["renter"] },
      response: { ok: true, data: { ...accountExample, balance: 0, sign_in_link: linkExample.url } },
    },
  }),

  creditAccount: defineOperation({
    id: "creditAccount",
    method: "POST",
    path: "/v0/operator/accounts/{account_id}/credit",
    tag: "Operator",
    summary: "Add to an account's balance, or take back",
    description: "A reference moves its amount once an account, however often it is sent.",
    scope: "operator:write",
    role: "operator",
    params: accountParams,
    body: creditAccountBody,
    response: envelope(accountBalance),
    errors: ["not_found"],
    example: {
      params,
      request: { kind: "credit", amount: 25, reference: "invoice-7" },
      response: { ok: true, data: { balance: 25 } },
    },
  }),

  suspendAccount: defineOperation({
    id: "suspendAccount",
    method: "POST",
    path: "/v0/operator/accounts/{account_id}/suspend",
    tag: "Operator",
    summary: "Suspend an account",
    description:
      "Signs the person out and refuses their keys. What they rent goes on and is billed. An operator cannot suspend themselves.",
    scope: "operator:write",
    role: "operator",
    params: accountParams,
    response: emptyEnvelope,
    errors: ["not_found", "invalid_state"],
    example: { params, response: done },
  }),

  restoreAccount: defineOperation({
    id: "restoreAccount",
    method: "POST",
    path: "/v0/operator/accounts/{account_id}/restore",
    tag: "Operator",
    summary: "Lift an account's suspension",
    scope: "operator:write",
    role: "operator",
    params: accountParams,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params, response: done },
  }),

  createSignInLink: defineOperation({
    id: "createSignInLink",
    method: "POST",
    path: "/v0/operator/accounts/{account_id}/sign-in-link",
    tag: "Operator",
    summary: "Make a link that signs a person in, once",
    scope: "operator:write",
    role: "operator",
    params: accountParams,
    response: envelope(accountLink),
    secretFields: ["url"],
    errors: ["not_found"],
    example: { params, response: { ok: true, data: linkExample } },
  }),

  createResetLink: defineOperation({
    id: "createResetLink",
    method: "POST",
    path: "/v0/operator/accounts/{account_id}/reset-link",
    tag: "Operator",
    summary: "Make a link where a person sets a new password, once",
    description: "Setting it ends the person's sessions.",
    scope: "operator:write",
    role: "operator",
    params: accountParams,
    response: envelope(accountLink),
    secretFields: ["url"],
    errors: ["not_found"],
    example: {
      params,
      response: {
        ok: true,
        data: { ...linkExample, url: "https://gpu.example.com/sign-in/reset?token=x" },
      },
    },
  }),

  listRates: defineOperation({
    id: "listRates",
    method: "GET",
    path: "/v0/operator/rates",
    tag: "Operator",
    summary: "List every exchange rate that was ever set, the newest first",
    scope: "operator:read",
    role: "operator",
    query: listRatesQuery,
    response: listEnvelope(operatorRate),
    errors: [],
    example: { response: { ok: true, data: [rateExample], total_items: 1 } },
  }),

  setRate: defineOperation({
    id: "setRate",
    method: "PUT",
    path: "/v0/operator/rates",
    tag: "Operator",
    summary: "Set the exchange rate of a currency from now on",
    description: "What was shown and charged under those before stays as it was.",
    scope: "operator:write",
    role: "operator",
    body: setRateBody,
    response: envelope(operatorRate),
    errors: [],
    example: {
      request: { currency: "RUB", units_per_usd: "80" },
      response: { ok: true, data: rateExample },
    },
  }),

  verifyLedger: defineOperation({
    id: "verifyLedger",
    method: "POST",
    path: "/v0/operator/ledger/verify",
    tag: "Operator",
    summary: "Prove that the ledger, the balances and the meters say the same",
    description:
      "Changes nothing. Gives up with a 503 after 25 seconds; `berth ledger verify` has no such limit.",
    scope: "operator:write",
    role: "operator",
    response: envelope(ledgerReport),
    errors: [],
    example: { response: { ok: true, data: reportExample } },
  }),
};
