import { z } from "zod";
import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import {
  attachSecretBody,
  controlInstanceQuery,
  createInstanceBody,
  detachSecretBody,
  detachSecretQuery,
  instance,
  instanceParams,
  listInstancesQuery,
} from "./instance";
import { defineOperation } from "./operation";

const params = { instance_id: examples.ids.instance };
const done = { ok: true, data: null };

export const instanceOperations = {
  createInstance: defineOperation({
    id: "createInstance",
    method: "POST",
    path: "/v0/instances/create",
    tag: "Instances",
    summary: "Rent an offer and start the template on it",
    scope: "instances:write",
    body: createInstanceBody,
    response: envelope(z.array(instance)),
    errors: ["not_found", "insufficient_funds", "offer_unavailable", "price_changed"],
    example: {
      request: {
        offer_id: examples.ids.offer,
        template_id: examples.ids.template,
        reserve_period: "hour",
        secret_ids: [examples.ids.secret],
        name: "fine-tuning",
        expected_price: 0.9,
      },
      response: { ok: true, data: [examples.newInstance] },
    },
  }),

  listInstances: defineOperation({
    id: "listInstances",
    method: "GET",
    path: "/v0/instances",
    tag: "Instances",
    summary: "List rented instances",
    scope: "instances:read",
    query: listInstancesQuery,
    response: listEnvelope(instance),
    errors: [],
    example: { response: { ok: true, data: [examples.instance], total_items: 1 } },
  }),

  controlInstance: defineOperation({
    id: "controlInstance",
    method: "PUT",
    path: "/v0/instances/{instance_id}",
    tag: "Instances",
    summary: "Start an instance or pause it",
    description:
      "Without `action` a running instance pauses and a paused one starts, so a retry would undo it: " +
      "name the action where a request may be repeated.",
    scope: "instances:write",
    params: instanceParams,
    query: controlInstanceQuery,
    response: emptyEnvelope,
    errors: ["not_found", "insufficient_funds", "invalid_state"],
    example: { params, query: { action: "pause" }, response: done },
  }),

  deleteInstance: defineOperation({
    id: "deleteInstance",
    method: "DELETE",
    path: "/v0/instances/{instance_id}",
    tag: "Instances",
    summary: "Delete an instance and destroy its data",
    scope: "instances:write",
    params: instanceParams,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params, response: done },
  }),

  rebootInstance: defineOperation({
    id: "rebootInstance",
    method: "POST",
    path: "/v0/instances/reboot/{instance_id}",
    tag: "Instances",
    summary: "Kill all tasks and reboot an instance",
    scope: "instances:write",
    params: instanceParams,
    response: emptyEnvelope,
    errors: ["not_found", "insufficient_funds", "invalid_state"],
    example: { params, response: done },
  }),

  attachSecret: defineOperation({
    id: "attachSecret",
    method: "POST",
    path: "/v0/instances/secrets/{instance_id}",
    tag: "Instances",
    summary: "Add an SSH key to an instance",
    scope: "instances:write",
    params: instanceParams,
    body: attachSecretBody,
    response: emptyEnvelope,
    errors: ["not_found", "invalid_state", "already_attached"],
    example: { params, request: { secret_id: examples.ids.secret }, response: done },
  }),

  detachSecret: defineOperation({
    id: "detachSecret",
    method: "DELETE",
    path: "/v0/instances/secrets/{instance_id}",
    tag: "Instances",
    summary: "Unbind an SSH key from an instance",
    description: "The key's id comes in the body, or in the query where a proxy drops the body of a DELETE.",
    scope: "instances:write",
    params: instanceParams,
    query: detachSecretQuery,
    body: detachSecretBody,
    emptyBody: true,
    response: emptyEnvelope,
    errors: ["not_found", "invalid_state"],
    example: { params, request: { secret_id: examples.ids.secret }, response: done },
  }),
};
