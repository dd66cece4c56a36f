import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { host, hostParams, listHostsQuery, updateHostBody, updateHostQuery } from "./host";
import { defineOperation } from "./operation";
import { createSecretBody, listSecretsQuery, secret, secretParams } from "./secret";

const done = { ok: true, data: null };

/** Secrets and hosts. */
export const accountOperations = {
  listSecrets: defineOperation({
    id: "listSecrets",
    method: "GET",
    path: "/v0/secrets",
    tag: "Secrets",
    summary: "List one's keys",
    scope: "secrets:read",
    query: listSecretsQuery,
    response: listEnvelope(secret),
    errors: [],
    example: { response: { ok: true, data: [examples.secret], total_items: 1 } },
  }),

  createSecret: defineOperation({
    id: "createSecret",
    method: "POST",
    path: "/v0/secrets",
    tag: "Secrets",
    summary: "Create a key",
    scope: "secrets:write",
    body: createSecretBody,
    response: envelope(secret),
    errors: [],
    example: {
      request: { secret_type: "ssh", value: examples.publicKey, name: "laptop" },
      response: { ok: true, data: examples.secret },
    },
  }),

  deleteSecret: defineOperation({
    id: "deleteSecret",
    method: "DELETE",
    path: "/v0/secrets/{secret_id}",
    tag: "Secrets",
    summary: "Delete a key",
    scope: "secrets:write",
    params: secretParams,
    response: emptyEnvelope,
    errors: ["not_found", "in_use"],
    example: { params: { secret_id: examples.ids.secret }, response: done },
  }),

  listHosts: defineOperation({
    id: "listHosts",
    method: "GET",
    path: "/v0/hosts",
    tag: "Hosts",
    summary: "List one's hosts",
    scope: "hosts:read",
    query: listHostsQuery,
    response: listEnvelope(host),
    errors: [],
    example: { response: { ok: true, data: [examples.host], total_items: 1 } },
  }),

  updateHost: defineOperation({
    id: "updateHost",
    method: "PUT",
    path: "/v0/hosts/{host_id}",
    tag: "Hosts",
    summary: "Reprice a host",
    description: "The new price is for later rentals; instances already rented keep theirs.",
    scope: "hosts:write",
    params: hostParams,
    query: updateHostQuery,
    body: updateHostBody,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params: { host_id: examples.ids.host }, request: { price: 1.25 }, response: done },
  }),

  deleteHost: defineOperation({
    id: "deleteHost",
    method: "DELETE",
    path: "/v0/hosts/{host_id}",
    tag: "Hosts",
    summary: "Delete a host",
    scope: "hosts:write",
    params: hostParams,
    response: emptyEnvelope,
    errors: ["not_found", "in_use"],
    example: { params: { host_id: examples.ids.host }, response: done },
  }),
};
