import type { OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { type ErrorCode, errorCodes } from "./errors";

/** The headers that answers carry, as components. */
export function registerHeaders(registry: OpenAPIRegistry): void {
  const headers = {
    RequestId: "The id of this request, for support; one that the client sends is kept.",
    RetryAfter: "After how many seconds to try again.",
    WwwAuthenticate: "How to authenticate.",
    Allow: "With 405: the methods that this path has.",
  };
  for (const [name, description] of Object.entries(headers)) {
    const type = name === "RetryAfter" ? "integer" : "string";
    registry.registerComponent("headers", name, { description, schema: { type } });
  }
}

export const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

function headersOf(status: number) {
  if (status === 401)
    return { ...requestIdHeader, "WWW-Authenticate": { $ref: "#/components/headers/WwwAuthenticate" } };
  if (status === 429 || status === 503)
    return { ...requestIdHeader, "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
  return requestIdHeader;
}

export type Failures = {
  invalid: { $ref: string };
  other: { $ref: string };
  /** The shared response of these codes, which have one status. */
  of: (codes: ErrorCode[]) => { $ref: string };
};

/** Puts every failing answer into the document's components; what two operations share stands there once. */
export function registerFailures(registry: OpenAPIRegistry): Failures {
  const known = new Map<string, { $ref: string }>();
  const register = (name: string, response: Parameters<typeof registry.registerComponent<"responses">>[2]) =>
    registry.registerComponent("responses", name, response).ref;
  return {
    invalid: register("InvalidRequest", {
      description: "The request was refused: which fields, and why",
      headers: requestIdHeader,
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/ValidationError" },
          example: { detail: [{ loc: ["body", "name"], msg: "Field required", type: "missing" }] },
        },
      },
    }),
    other: register("OtherError", {
      description: "Any other failure, such as 405, 408, 414, 417 or 431",
      headers: { ...requestIdHeader, Allow: { $ref: "#/components/headers/Allow" } },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    }),
    of: (codes) => {
      const name = codes.map(pascalCase).join("Or");
      const ref = known.get(name) ?? register(name, failureResponse(codes));
      known.set(name, ref);
      return ref;
    },
  };
}

function pascalCase(code: string): string {
  return code
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
}

function failureResponse(codes: ErrorCode[]) {
  const examples = codes.map((code) => [code, { summary: code, value: errorExample(code) }] as const);
  const [first] = codes;
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: headersOf(first ? errorCodes[first].status : 500),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const details: Record<ErrorCode, string> = {
  bad_request: "This is not an HTTP request that the server can read. Send it again in the right form.",
  invalid_api_key: "The API key is missing or not valid. Send a valid key in the X-Api-Key header.",
  insufficient_funds: "The balance does not cover this. Top it up and try again.",
  scope_missing: "This key may not do that. Use a key that has the scope of this operation.",
  session_required: "No key may do this. Sign in with a browser.",
  account_suspended: "This account is suspended. Ask the operator why.",
  operator_only: "Only an operator of this market may do that. Ask one.",
  forbidden_origin: "A browser may call this only from the marketplace's own pages. Programs use an API key.",
  not_found: "There is nothing with this id. Check it against the list.",
  method_not_allowed: "This path does not have this method. The Allow header names those it has.",
  request_timeout: "The request took too long to arrive. Send it again.",
  offer_unavailable: "This offer cannot be rented now. Search for another one.",
  invalid_state: "The instance's status does not allow this. Its `actions` name what may be called now.",
  action_in_progress: "The same request is still being worked on. Ask again in a moment.",
  already_attached: "This key is attached to the instance already. Nothing is left to do.",
  in_use: "It is still in use. Release it first.",
  price_changed: "The price has changed, so nothing was rented. Repeat with the new price to accept it.",
  payload_too_large: "The body is larger than 256 KiB. Send a smaller one.",
  uri_too_long: "The address is too long. Shorten its query.",
  unsupported_media_type: "The body must be JSON. Send it as application/json.",
  expectation_failed: "The server does not meet this Expect header. Send the request without it.",
  too_many_requests: "Too many requests. Wait as long as the Retry-After header says.",
  headers_too_large: "The request's headers are too large. Send fewer or shorter ones.",
  internal_error: "Something went wrong on our side. Try again; if it stays, report the request id.",
  unavailable: "The service is not available for a moment. Try again as the Retry-After header says.",
};

function errorExample(code: ErrorCode) {
  const body = {
    ok: false,
    detail: details[code],
    code,
    status: errorCodes[code].status,
    title: errorCodes[code].title,
    type: `/errors/${code}`,
    request_id: "req_4kZ8vQ2nB7wM",
  };
  return code === "price_changed" ? { ...body, price: 0.95, currency: "USD" } : body;
}
