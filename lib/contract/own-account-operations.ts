import type { z } from "zod";
import { account, deleteAccountBody, updateAccountBody } from "./account";
import {
  apiKey,
  apiKeyParams,
  createApiKeyBody,
  listApiKeysQuery,
  newApiKey,
  rollApiKeyBody,
} from "./api-key";
import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { defineOperation } from "./operation";

const keyExample = {
  id: "4fQ9sXw2LbTz",
  name: "ci",
  scopes: ["market:read", "instances:read", "instances:write"],
  created_at: "2026-03-01T08:30:00.000Z",
  expires_at: "2026-05-30T08:30:00.000Z",
  last_used_at: null,
  revoked_at: null,
} satisfies z.output<typeof apiKey>;

const newKeyExample = {
  ...keyExample,
  api_key: "ak-4fQ9sXw2LbTz_3Jm8VnQxTz5RkWc7LhYp2DsBf9Gq4NvX1aBcDe",
} satisfies z.output<typeof newApiKey>;

const accountExample = {
  id: examples.ids.account,
  name: "Mira",
  email: "mira@example.com",
  roles: ["renter", "host"],
  created_at: "2026-01-12T10:00:00.000Z",
  scopes: keyExample.scopes,
  has_password: true,
} satisfies z.output<typeof account>;

/** One's own account and its API keys. */
export const ownAccountOperations = {
  getAccount: defineOperation({
    id: "getAccount",
    method: "GET",
    path: "/v0/account",
    tag: "Account",
    summary: "Return one's own account",
    scope: null,
    response: envelope(account),
    errors: [],
    example: { response: { ok: true, data: accountExample } },
  }),

  updateAccount: defineOperation({
    id: "updateAccount",
    method: "PUT",
    path: "/v0/account",
    tag: "Account",
    summary: "Change one's name",
    scope: null,
    sessionOnly: true,
    body: updateAccountBody,
    response: envelope(account),
    errors: [],
    example: { request: { name: accountExample.name }, response: { ok: true, data: accountExample } },
  }),

  deleteAccount: defineOperation({
    id: "deleteAccount",
    method: "DELETE",
    path: "/v0/account",
    tag: "Account",
    summary: "Delete one's account",
    description:
      "At once and for good: keys, sessions, machines, templates, secrets, logs and events go, name and e-mail address are " +
      "erased, and the ledger stays under a pseudonym. Refused with `in_use` while an instance is not destroyed, a host is " +
      "rented, or money is left: a balance that is not exactly zero, something paid ahead, or earnings that are not paid out.",
    scope: null,
    sessionOnly: true,
    body: deleteAccountBody,
    response: emptyEnvelope,
    errors: ["in_use"],
    example: {
      request: { confirm: accountExample.email, password: "correct horse battery" },
      response: { ok: true, data: null },
    },
  }),

  listApiKeys: defineOperation({
    id: "listApiKeys",
    method: "GET",
    path: "/v0/keys",
    tag: "Account",
    summary: "List one's API keys",
    description: "The newest first, revoked and expired ones included; never the keys themselves.",
    scope: "keys:read",
    query: listApiKeysQuery,
    response: listEnvelope(apiKey),
    errors: [],
    example: { response: { ok: true, data: [keyExample], total_items: 1 } },
  }),

  createApiKey: defineOperation({
    id: "createApiKey",
    method: "POST",
    path: "/v0/keys",
    tag: "Account",
    summary: "Create an API key",
    description:
      "`api_key` is shown this once. A key makes only keys whose scopes are among its own; a signed-in browser makes any.",
    scope: "keys:write",
    body: createApiKeyBody,
    response: envelope(newApiKey),
    secretFields: ["api_key"],
    errors: [],
    example: {
      request: { name: "ci", scopes: keyExample.scopes, expires_in_days: 90 },
      response: { ok: true, data: newKeyExample },
    },
  }),

  rollApiKey: defineOperation({
    id: "rollApiKey",
    method: "POST",
    path: "/v0/keys/{key_id}/roll",
    tag: "Account",
    summary: "Replace an API key by a new one",
    description:
      "The new key has the name, scopes and expiry of the old one, which is revoked at once, or expires after `grace_hours`. " +
      "A key rolls itself, and others whose scopes are among its own.",
    scope: "keys:write",
    params: apiKeyParams,
    body: rollApiKeyBody,
    emptyBody: true,
    response: envelope(newApiKey),
    secretFields: ["api_key"],
    errors: ["not_found", "invalid_state"],
    example: {
      params: { key_id: "9hB2kWm7RtYc" },
      request: { grace_hours: 24 },
      response: { ok: true, data: newKeyExample },
    },
  }),

  revokeApiKey: defineOperation({
    id: "revokeApiKey",
    method: "DELETE",
    path: "/v0/keys/{key_id}",
    tag: "Account",
    summary: "Revoke an API key",
    description: "At once and for good; it stays in the list. Repeating it changes nothing.",
    scope: "keys:write",
    params: apiKeyParams,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params: { key_id: keyExample.id }, response: { ok: true, data: null } },
  }),
};
