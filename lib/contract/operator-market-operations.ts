import type { z } from "zod";
import { emptyEnvelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { hostParams } from "./host";
import { instanceParams } from "./instance";
import { defineOperation } from "./operation";
import {
  flagInstanceBody,
  judgeHostBody,
  listOperatorHostsQuery,
  listOperatorInstancesQuery,
  listOperatorTemplatesQuery,
  operatorHost,
  operatorInstance,
  operatorReason,
  operatorTemplate,
  publishTemplateBody,
} from "./operator";
import { templateParams } from "./template";

const done = { ok: true, data: null };
const owner = { id: examples.ids.account, email: "ada@example.com" };

const hostExample = {
  id: examples.ids.host,
  owner,
  gpu_name: "NVIDIA GeForce RTX 4090",
  gpu_amount: 2,
  address: "203.0.113.7",
  status: "active",
  status_reason: null,
  verified_at: "2026-03-01T12:00:00.000Z",
  banned_at: null,
  rented: true,
  simulated: false,
  last_report_at: "2026-03-02T09:15:00.000Z",
  problem: null,
} satisfies z.output<typeof operatorHost>;

const instanceExample = {
  id: examples.ids.instance,
  name: "training",
  status: "running",
  phase: "running",
  owner,
  host_id: examples.ids.host,
  offer_id: examples.ids.offer,
  gpu_name: "NVIDIA GeForce RTX 4090",
  gpu_amount: 2,
  image: "pytorch/pytorch:latest",
  flagged_at: "2026-03-02T09:15:00.000Z",
  flag_note: "GPU at 100 % since it began",
  created_at: "2026-03-01T12:00:00.000Z",
  started_at: "2026-03-01T12:00:40.000Z",
  cost_per_hour: 0.9,
} satisfies z.output<typeof operatorInstance>;

const templateExample = {
  id: examples.ids.template,
  name: "PyTorch with SSH",
  image: "pytorch/pytorch:latest",
  owner,
  is_private: false,
  published_at: "2026-03-01T12:00:00.000Z",
  created_at: "2026-02-01T12:00:00.000Z",
} satisfies z.output<typeof operatorTemplate>;

/** What an operator does with everybody's hosts, instances and templates. */
export const operatorMarketOperations = {
  listOperatorHosts: defineOperation({
    id: "listOperatorHosts",
    method: "GET",
    path: "/v0/operator/hosts",
    tag: "Operator",
    summary: "List the hosts of all accounts",
    scope: "operator:read",
    role: "operator",
    query: listOperatorHostsQuery,
    response: listEnvelope(operatorHost),
    errors: [],
    example: {
      query: { status: "active" },
      response: { ok: true, data: [hostExample], total_items: 1 },
    },
  }),

  judgeHost: defineOperation({
    id: "judgeHost",
    method: "PUT",
    path: "/v0/operator/hosts/{host_id}",
    tag: "Operator",
    summary: "Verify or ban a host, or take that back",
    description: "A banned host is not rented any more; what is rented of it goes on.",
    scope: "operator:write",
    role: "operator",
    params: hostParams,
    body: judgeHostBody,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params: { host_id: examples.ids.host }, request: { verdict: "verify" }, response: done },
  }),

  listOperatorInstances: defineOperation({
    id: "listOperatorInstances",
    method: "GET",
    path: "/v0/operator/instances",
    tag: "Operator",
    summary: "List the instances of all accounts",
    scope: "operator:read",
    role: "operator",
    query: listOperatorInstancesQuery,
    response: listEnvelope(operatorInstance),
    errors: [],
    example: {
      query: { search: "training" },
      response: { ok: true, data: [instanceExample], total_items: 1 },
    },
  }),

  destroyOperatorInstance: defineOperation({
    id: "destroyOperatorInstance",
    method: "DELETE",
    path: "/v0/operator/instances/{instance_id}",
    tag: "Operator",
    summary: "Destroy anybody's instance",
    description:
      "Its data is lost. What was paid ahead and not used goes back whole. Its renter's event has the reason `operator` and these words as `note`.",
    scope: "operator:write",
    role: "operator",
    params: instanceParams,
    body: operatorReason,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: {
      params: { instance_id: examples.ids.instance },
      request: { reason: "Mining on a host that forbids it" },
      response: done,
    },
  }),

  flagInstance: defineOperation({
    id: "flagInstance",
    method: "PUT",
    path: "/v0/operator/instances/{instance_id}",
    tag: "Operator",
    summary: "Mark anybody's instance, or take the mark off",
    description: "It does nothing to the instance; its renter sees `red_flagged`, and not the note.",
    scope: "operator:write",
    role: "operator",
    params: instanceParams,
    body: flagInstanceBody,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: {
      params: { instance_id: examples.ids.instance },
      request: { flagged: true, note: "GPU at 100 % since it began" },
      response: done,
    },
  }),

  listOperatorTemplates: defineOperation({
    id: "listOperatorTemplates",
    method: "GET",
    path: "/v0/operator/templates",
    tag: "Operator",
    summary: "List the templates that are published or could be",
    description: "Those that are not private, and published ones that their owner made private since.",
    scope: "operator:read",
    role: "operator",
    query: listOperatorTemplatesQuery,
    response: listEnvelope(operatorTemplate),
    errors: [],
    example: { response: { ok: true, data: [templateExample], total_items: 1 } },
  }),

  publishTemplate: defineOperation({
    id: "publishTemplate",
    method: "PUT",
    path: "/v0/operator/templates/{template_id}",
    tag: "Operator",
    summary: "Publish a template to everyone, or take that back",
    description: "Others see a published one while its owner does not make it private.",
    scope: "operator:write",
    role: "operator",
    params: templateParams,
    body: publishTemplateBody,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: {
      params: { template_id: examples.ids.template },
      request: { published: true },
      response: done,
    },
  }),
};
