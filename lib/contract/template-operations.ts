import { emptyEnvelope, envelope, listEnvelope } from "./common";
import { examples } from "./examples";
import { defineOperation } from "./operation";
import {
  createTemplateBody,
  listTemplatesQuery,
  template,
  templateParams,
  updateTemplateBody,
} from "./template";

const params = { template_id: examples.ids.template };

export const templateOperations = {
  listTemplates: defineOperation({
    id: "listTemplates",
    method: "GET",
    path: "/v0/templates",
    tag: "Templates",
    summary: "List one's own templates and the published ones",
    scope: "templates:read",
    query: listTemplatesQuery,
    response: listEnvelope(template),
    errors: [],
    example: { response: { ok: true, data: [examples.template], total_items: 1 } },
  }),

  createTemplate: defineOperation({
    id: "createTemplate",
    method: "POST",
    path: "/v0/templates/create",
    tag: "Templates",
    summary: "Create a template",
    scope: "templates:write",
    body: createTemplateBody,
    response: envelope(template),
    errors: [],
    example: {
      request: {
        name: "PyTorch with SSH",
        description: "PyTorch on CUDA, reached by SSH",
        image: "pytorch/pytorch",
        env: "HF_HOME=/data/hf",
        ports: { "8080": "tcp" },
        use_ssh: true,
        direct_ssh: true,
        on_start_command: "python -m http.server 8080",
        recommended_disk_space: 40,
        is_private: true,
      },
      response: { ok: true, data: examples.template },
    },
  }),

  getTemplate: defineOperation({
    id: "getTemplate",
    method: "GET",
    path: "/v0/templates/{template_id}",
    tag: "Templates",
    summary: "Return a template",
    scope: "templates:read",
    params: templateParams,
    response: envelope(template),
    errors: ["not_found"],
    example: { params, response: { ok: true, data: examples.template } },
  }),

  updateTemplate: defineOperation({
    id: "updateTemplate",
    method: "PUT",
    path: "/v0/templates/{template_id}",
    tag: "Templates",
    summary: "Change a template",
    description:
      "Only the owner may. An absent field keeps its value and `null` resets it to its default. " +
      "Instances already rented keep the template as it was.",
    scope: "templates:write",
    params: templateParams,
    body: updateTemplateBody,
    response: envelope(template),
    errors: ["not_found"],
    example: {
      params,
      request: { name: "PyTorch nightly", image_tag: "nightly", readme: null },
      response: {
        ok: true,
        data: { ...examples.template, name: "PyTorch nightly", image_tag: "nightly" },
      },
    },
  }),

  deleteTemplate: defineOperation({
    id: "deleteTemplate",
    method: "DELETE",
    path: "/v0/templates/{template_id}",
    tag: "Templates",
    summary: "Delete a template",
    description: "Only the owner may. Instances already rented keep their copy of it.",
    scope: "templates:write",
    params: templateParams,
    response: emptyEnvelope,
    errors: ["not_found"],
    example: { params, response: { ok: true, data: null } },
  }),
};
