import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type ResponseConfig,
  type RouteConfig,
} from "@asteasolutions/zod-to-openapi";
import { type ErrorCode, errorBody, errorCodes, validationDetail } from "./errors";
import { type Failures, registerFailures, registerHeaders, requestIdHeader } from "./openapi-failures";
import { errorsOf, type Method, type Operation, tags } from "./operation";
import { operations } from "./operations";

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31["generateDocument"]>;

const intro = `Rent GPU servers: search offers, keep templates, run instances.

Every answer is JSON in one envelope, \`{"ok": true, "data": …}\`; a list adds \`total_items\`, which counts all
matches. A failure is \`{"ok": false, "code": …, "detail": …}\`: \`code\` is for programs, \`detail\` for people. Only a
422 looks otherwise: it lists the fields that were refused.

In a request, unknown fields are ignored and \`null\` means absent. In answers every field is always there. Times are
ISO 8601 in UTC. Programs must put up with new fields.`;

/** The OpenAPI 3.1 document of all operations. `serverUrl` is where the API answers. */
export function buildOpenApiDocument(serverUrl = "/"): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
  });
  registerHeaders(registry);
  const document = structuredClone(describeOperations(registry, serverUrl));
  eachObject(document, (node) => {
    moveDescriptionToParameter(node);
    allowNewFields(node);
  });
  return document;
}

function describeOperations(registry: OpenAPIRegistry, serverUrl: string): OpenApiDocument {
  const idempotencyKey = registry.registerComponent("parameters", "IdempotencyKey", {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "The same key with the same request answers the first result again for 24 hours, a secret in it null; with another request it is a 422.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  });
  const lastEventId = registry.registerComponent("parameters", "LastEventId", {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "Of a `text/event-stream`: the id of the last event that was received, to go on after it.",
    schema: { type: "string" },
  });
  const failures = registerFailures(registry);
  for (const operation of Object.values<Operation>(operations)) {
    const parameters = operation.method === "GET" ? [] : [idempotencyKey.ref];
    if (operation.alternatives?.includes("text/event-stream")) parameters.push(lastEventId.ref);
    registry.registerPath({ ...routeOf(operation), parameters, responses: answersOf(operation, failures) });
  }
  const errors = [errorBody, validationDetail].map((schema) => ({ type: "schema" as const, schema }));
  const generator = new OpenApiGeneratorV31([...registry.definitions, ...errors], {
    sortComponents: "alphabetically",
  });
  return generator.generateDocument({
    openapi: "3.1.0",
    info: {
      title: "Berth",
      version: "0",
      description: intro,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
  });
}

const methodNames = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const satisfies Record<
  Method,
  RouteConfig["method"]
>;

function routeOf(operation: Operation): Omit<RouteConfig, "responses"> {
  const anyone = operation.sessionOnly
    ? "Only a signed-in browser may call it."
    : "Any valid key may call it.";
  const scope = operation.scope ? `Scope: \`${operation.scope}\`.` : anyone;
  const needs = operation.role ? `${scope} Role: \`${operation.role}\`.` : scope;
  return {
    method: methodNames[operation.method],
    path: operation.path,
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description ? `${operation.description}\n\n${needs}` : needs,
    request: { params: operation.params, query: operation.query, body: bodyOf(operation) },
  };
}

function bodyOf({ body, emptyBody, upload, example }: Operation) {
  if (upload) {
    const file = { schema: { type: "string" as const, format: "binary" } };
    return { required: true, content: Object.fromEntries(upload.types.map((type) => [type, file])) };
  }
  return (
    body && {
      required: !emptyBody,
      content: { "application/json": { schema: body, example: example.request } },
    }
  );
}

function answersOf(operation: Operation, failures: Failures): RouteConfig["responses"] {
  const success: ResponseConfig = {
    description: "Done",
    headers: requestIdHeader,
    content: {
      "application/json": { schema: operation.response, example: operation.example.response },
      ...Object.fromEntries(
        (operation.alternatives ?? []).map((type) => [type, { schema: { type: "string" } }]),
      ),
    },
  };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return {
    200: success,
    422: failures.invalid,
    ...Object.fromEntries([...byStatus].map(([status, codes]) => [status, failures.of(codes.sort())])),
    default: failures.other,
  };
}

type JsonObject = Record<string, unknown>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

function eachObject(value: unknown, visit: (node: JsonObject) => void): void {
  if (!isObject(value)) return;
  visit(value);
  for (const child of Object.values(value)) eachObject(child, visit);
}

/** zod-to-openapi writes a parameter's description into its schema, where few tools show it. */
function moveDescriptionToParameter(node: JsonObject): void {
  if (!("in" in node) || !isObject(node.schema) || typeof node.schema.description !== "string") return;
  node.description = node.schema.description;
  delete node.schema.description;
}

/** Our own checks of answers are strict, so that nothing leaks; a client must put up with a field added later. */
function allowNewFields(node: JsonObject): void {
  if (node.additionalProperties === false) delete node.additionalProperties;
}
