import { z } from "zod";
import { currencies } from "./words";

/** Every code of an error other than 422, with its status and the status's name. */
export const errorCodes = {
  bad_request: { status: 400, title: "Bad Request" },
  invalid_api_key: { status: 401, title: "Unauthorized" },
  insufficient_funds: { status: 402, title: "Payment Required" },
  scope_missing: { status: 403, title: "Forbidden" },
  session_required: { status: 403, title: "Forbidden" },
  account_suspended: { status: 403, title: "Forbidden" },
  operator_only: { status: 403, title: "Forbidden" },
  forbidden_origin: { status: 403, title: "Forbidden" },
  not_found: { status: 404, title: "Not Found" },
  method_not_allowed: { status: 405, title: "Method Not Allowed" },
  request_timeout: { status: 408, title: "Request Timeout" },
  offer_unavailable: { status: 409, title: "Conflict" },
  invalid_state: { status: 409, title: "Conflict" },
  action_in_progress: { status: 409, title: "Conflict" },
  already_attached: { status: 409, title: "Conflict" },
  in_use: { status: 409, title: "Conflict" },
  price_changed: { status: 409, title: "Conflict" },
  payload_too_large: { status: 413, title: "Content Too Large" },
  uri_too_long: { status: 414, title: "URI Too Long" },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type" },
  expectation_failed: { status: 417, title: "Expectation Failed" },
  too_many_requests: { status: 429, title: "Too Many Requests" },
  headers_too_large: { status: 431, title: "Request Header Fields Too Large" },
  internal_error: { status: 500, title: "Internal Server Error" },
  unavailable: { status: 503, title: "Service Unavailable" },
} as const;

export type ErrorCode = keyof typeof errorCodes;

const codeNames = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** One flat object, which readers of RFC 9457 understand too. */
export const errorBody = z
  .strictObject({
    ok: z.literal(false),
    detail: z.string().meta({ description: "What happened and what to do next, for people" }),
    code: z.enum(codeNames).meta({ description: "Stable, for programs" }),
    status: z.number().int(),
    title: z.string(),
    type: z.string().meta({ description: "/errors/<code>" }),
    request_id: z.string(),
    price: z.number().optional().meta({ description: "price_changed only: the hourly price now" }),
    currency: z.enum(currencies).optional().meta({ description: "price_changed only: its currency" }),
  })
  .meta({ id: "Error" });

export type ErrorBody = z.output<typeof errorBody>;

const validationIssue = z
  .strictObject({
    loc: z.array(z.union([z.string(), z.number().int()])),
    msg: z.string(),
    type: z.string(),
  })
  .meta({ id: "ValidationIssue" });

export type ValidationIssue = z.output<typeof validationIssue>;

/** Section 7: the whole body of a 422. It names fields and never echoes what was sent. */
export const validationDetail = z
  .strictObject({ detail: z.array(validationIssue) })
  .meta({ id: "ValidationError" });

export type ValidationDetail = z.output<typeof validationDetail>;
