import type { z } from "zod";
import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { getHostOverviewQuery, hostOverview, hostParams } from "./host";
import {
  createHostTokenBody,
  hostToken,
  hostTokenParams,
  listHostTokensQuery,
  newHostToken,
} from "./host-token";
import { defineOperation } from "./operation";

const done = { ok: true, data: null };

const TOKEN_ID = "4fJ8wZbN2kXe";

const tokenExample = {
  id: TOKEN_ID,
  created_at: "2026-03-01T12:00:00.000Z",
  expires_at: "2026-03-02T12:00:00.000Z",
  used_at: "2026-03-01T12:04:30.000Z",
  agent_id: examples.host.agent_id,
  hosts: [examples.ids.host],
  status: "used",
} satisfies z.output<typeof hostToken>;

const overviewExample = {
  host_id: examples.ids.host,
  created_at: "2026-02-01T10:00:00.000Z",
  last_report_at: "2026-03-02T09:14:58.000Z",
  verified: true,
  rented: true,
  problem: null,
  failures: [{ code: "disk_not_limited", detail: "The engine does not limit a container's disk." }],
  utilisation: [{ day: "2026-03-02", seconds_rented: 21600, seconds_total: 33300 }],
  price_position: { like_offers: 31, cheaper: 12, median: 0.48, low: 0.29, currency: "USD" },
} satisfies z.output<typeof hostOverview>;

/** What a host owner does with machines, beside the specification's own. */
export const hostOperations = {
  createHostToken: defineOperation({
    id: "createHostToken",
    method: "POST",
    path: "/v0/hosts/tokens",
    tag: "Hosts",
    summary: "Make a token that lets one machine join",
    description:
      "Whoever has the token can offer one machine in one's own name until it expires. It is shown this once.",
    scope: "hosts:write",
    body: createHostTokenBody,
    emptyBody: true,
    response: envelope(newHostToken),
    secretFields: ["token", "command"],
    errors: [],
    example: {
      request: { expires_in_hours: 24 },
      response: {
        ok: true,
        data: {
          id: TOKEN_ID,
          token: `ht-${TOKEN_ID}_…`,
          expires_at: "2026-03-02T12:00:00.000Z",
          command: `printf %s ht-${TOKEN_ID}_… | npm run -s agent -- --server https://gpu.example.com --token-file -`,
        },
      },
    },
  }),

  listHostTokens: defineOperation({
    id: "listHostTokens",
    method: "GET",
    path: "/v0/hosts/tokens",
    tag: "Hosts",
    summary: "List one's host tokens and what joined by them",
    description: "The newest first. One that nobody used is gone 24 hours after it expired.",
    scope: "hosts:read",
    query: listHostTokensQuery,
    response: listEnvelope(hostToken),
    errors: [],
    example: { response: { ok: true, data: [tokenExample], total_items: 1 } },
  }),

  revokeHostToken: defineOperation({
    id: "revokeHostToken",
    method: "DELETE",
    path: "/v0/hosts/tokens/{token_id}",
    tag: "Hosts",
    summary: "Revoke a host token that no machine has used",
    description:
      "It is gone from the list. One that a machine has joined by is a 409: what joined stays, and can be deleted as a host.",
    scope: "hosts:write",
    params: hostTokenParams,
    response: emptyEnvelope,
    errors: ["not_found", "in_use"],
    example: { params: { token_id: TOKEN_ID }, response: done },
  }),

  withdrawHost: defineOperation({
    id: "withdrawHost",
    method: "POST",
    path: "/v0/hosts/{host_id}/withdraw",
    tag: "Hosts",
    summary: "Take a host off the market",
    description:
      "Nobody finds or rents it until it is listed again; an instance that runs on it goes on, and earns. Again changes nothing.",
    scope: "hosts:write",
    params: hostParams,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params: { host_id: examples.ids.host }, response: done },
  }),

  relistHost: defineOperation({
    id: "relistHost",
    method: "POST",
    path: "/v0/hosts/{host_id}/list",
    tag: "Hosts",
    summary: "Put a host back on the market",
    description:
      "Takes back what `withdraw` did. Where something else keeps the host off the market, its status says what.",
    scope: "hosts:write",
    params: hostParams,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params: { host_id: examples.ids.host }, response: done },
  }),

  getHostOverview: defineOperation({
    id: "getHostOverview",
    method: "GET",
    path: "/v0/hosts/{host_id}/overview",
    tag: "Hosts",
    summary: "Return how a host does: its machine, its utilisation, its price beside others'",
    description:
      "With `price`, what that price would be beside others', before it is set. Rented time is as far as it is settled, which is once a minute.",
    scope: "hosts:read",
    params: hostParams,
    query: getHostOverviewQuery,
    response: envelope(hostOverview),
    errors: ["not_found"],
    example: {
      params: { host_id: examples.ids.host },
      query: { price: "1.25", currency: "USD" },
      response: { ok: true, data: overviewExample },
    },
  }),
};
