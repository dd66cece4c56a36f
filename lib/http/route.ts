import Negotiator from "negotiator";
import type { z } from "zod";
import type { Caller } from "../accounts/caller";
import { readQuery } from "../contract/common";
import type { ValidationIssue } from "../contract/errors";
import { type InputPlace, toDetail } from "../contract/issues";
import type { AlternativeType, Operation } from "../contract/operation";
import type { Body, Params, Query, ResponseOf, UploadOf } from "../contract/operations";
import { whileDatabaseAnswers } from "../db/heartbeat";
import type { Ctx } from "../kernel/ctx";
import { DomainError, ValidationError } from "../kernel/errors";
import { JsonText } from "../kernel/json-text";
import { failureAnswer, jsonAnswer, streamAnswer } from "./answers";
import { authenticate } from "./authenticate";
import { onceForKey, readIdempotentCall } from "./idempotency";
import { peerOf } from "./peer";
import { openUpload, readJsonBody } from "./read-body";
import { requestIdOf } from "./request-id";

interface Input<Op> {
  ctx: Ctx;
  request: Request;
  caller: Caller;
  params: Params<Op>;
  query: Query<Op>;
  body: Body<Op>;
  upload: UploadOf<Op>;
}

/** What an operation answers beside JSON where `Accept` prefers it; errors stay JSON. */
type Alternatives<Op> = Partial<
  Record<AlternativeType, (input: Input<Op>) => Promise<string | ReadableStream<Uint8Array>>>
>;

/** What a handler gives: the envelope without `ok`. */
type Result<Op> = Omit<ResponseOf<Op>, "ok">;

export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

/**
 * The only way to make a handler under /v0: request id → authenticate → rate limit → read → parse everything into one
 * 422 → scope → once for an Idempotency-Key → handler → envelope. Errors become answers here and nowhere else.
 */
export function route<const Op extends Operation>(
  operation: Op,
  handle: (input: Input<Op>) => Promise<Result<Op> | JsonText>,
  alternatives: Alternatives<Op> = {},
): RouteHandler {
  return async (request, context) => {
    const requestId = requestIdOf(request);
    try {
      return await whileDatabaseAnswers(() => run(request, context, requestId));
    } catch (error) {
      return failureAnswer(error, requestId);
    }
  };

  async function run(request: Request, context: Parameters<RouteHandler>[1], requestId: string) {
    const caller = await authenticate(request, peerOf(request).address);
    const { bytes, ...input } = await parseRequest(operation, request, await context.params);
    requireAllowed(caller, operation);
    const ctx: Ctx = { userId: caller.userId, requestId };
    const type = preferredType(request, operation.alternatives ?? []);
    const alternative = type === "application/json" ? undefined : alternatives[type];
    const work = async () => {
      try {
        // The schemas that parsed the input are the ones its type was made from.
        const given = { ctx, caller, request, ...input } as Input<Op>;
        if (alternative) return streamAnswer(await alternative(given), type, requestId);
        const result = await handle(given);
        const text =
          result instanceof JsonText
            ? `{"ok":true,${result.members}}`
            : JSON.stringify({ ok: true, ...result });
        return jsonAnswer(200, text, requestId);
      } catch (error) {
        return failureAnswer(error, requestId);
      }
    };
    const call = readIdempotentCall(request, caller.userId, operation, bytes);
    if (!call) return work();
    const answer = await onceForKey(call, work);
    answer.headers.set("x-request-id", requestId);
    answer.headers.set("cache-control", "no-store");
    return answer;
  }
}

/** Section 7: one 422 carries every issue of path, query and body. */
async function parseRequest(operation: Operation, request: Request, params: Record<string, string>) {
  const issues: ValidationIssue[] = [];
  const parse = (schema: z.ZodType | undefined, value: unknown, place: InputPlace) => {
    if (!schema) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    issues.push(...toDetail(parsed.error, place));
    return undefined;
  };
  const json = operation.body ? await readJsonBody(request, operation.emptyBody ?? false) : undefined;
  const input = {
    params: parse(operation.params, params, "path"),
    query: parse(operation.query, readQuery(new URL(request.url).searchParams), "query"),
    body: parse(operation.body, json?.value, "body"),
    bytes: json?.bytes ?? new Uint8Array(), // of a file nothing: it is not read yet
    upload: operation.upload && {
      bytes: openUpload(request, operation.upload),
      stopping: peerOf(request).stopping,
    },
  };
  if (issues.length > 0) throw new ValidationError(issues);
  return input;
}

/** JSON unless the client prefers another type that the operation has. */
function preferredType(
  request: Request,
  others: readonly AlternativeType[],
): "application/json" | AlternativeType {
  const accept = request.headers.get("accept") ?? "*/*";
  const types = new Negotiator({ headers: { accept } }).mediaTypes(["application/json", ...others]);
  return others.find((type) => type === types[0]) ?? "application/json";
}

function requireAllowed(caller: Caller, { scope, role, sessionOnly }: Operation): void {
  if (caller.suspended) {
    throw new DomainError(
      "account_suspended",
      "This account is suspended. Ask the operator of this market why.",
    );
  }
  if (role && !caller.roles.includes(role)) {
    throw new DomainError("operator_only", "Only an operator of this market may do that. Ask one.");
  }
  if (sessionOnly && !caller.inBrowser) {
    throw new DomainError(
      "session_required",
      "No key may do this. Sign in with a browser, and do it on the account's page there.",
    );
  }
  if (scope !== null && !caller.scopes.has(scope)) {
    throw new DomainError("scope_missing", `This key lacks the scope ${scope}. Make a key that has it.`);
  }
}
