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
import { JsonBytes } from "../kernel/json-bytes";
import { failureAnswer, jsonAnswer, streamAnswer } from "./answers";
import { authenticate } from "./authenticate";
import { makeBodyParser } from "./body-parser";
import { makeHandler, type RouteHandler } from "./handler";
import { onceForKey, readIdempotentCall } from "./idempotency";
import { peerOf } from "./peer";
import { openUpload, readJsonBytes } from "./read-body";
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

/**
 * The only way to make a handler under /v0: request id → authenticate → rate limit → read → parse everything into one
 * 422 → scope → once for an Idempotency-Key → handler → envelope. Errors become answers here and nowhere else.
 */
export function route<const Op extends Operation>(
  operation: Op,
  handle: (input: Input<Op>) => Promise<Result<Op> | JsonBytes>,
  alternatives: Alternatives<Op> = {},
): RouteHandler {
  const parseBody = operation.body && makeBodyParser(operation.body, operation);
  return makeHandler(async (request, params) => {
    const requestId = requestIdOf(request);
    try {
      return await whileDatabaseAnswers(() => run(request, params, requestId));
    } catch (error) {
      return failureAnswer(error, requestId);
    }
  });

  async function run(request: Request, params: Record<string, string>, requestId: string) {
    const caller = await authenticate(request, peerOf(request).address);
    const { bytes, ...input } = await parseRequest(operation, parseBody, request, params);
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
        const body = result instanceof JsonBytes ? result.bytes : JSON.stringify({ ok: true, ...result });
        return jsonAnswer(200, body, requestId);
      } catch (error) {
        return failureAnswer(error, requestId);
      }
    };
    const call = readIdempotentCall(request, caller.userId, operation, bytes);
    if (!call) return work();
    const answer = await onceForKey(call, work);
    const headers = { ...answer.headers, "x-request-id": requestId, "cache-control": "no-store" };
    return { ...answer, headers };
  }
}

/** Section 7: one 422 carries every issue of path, query and body. */
async function parseRequest(
  operation: Operation,
  parseBody: ReturnType<typeof makeBodyParser> | undefined,
  request: Request,
  params: Record<string, string>,
) {
  const issues: ValidationIssue[] = [];
  const dataOf = (parsed: z.ZodSafeParseResult<unknown>, place: InputPlace) => {
    if (parsed.success) return parsed.data;
    issues.push(...toDetail(parsed.error, place));
    return undefined;
  };
  const { params: paramsSchema, query } = operation;
  // Of a file nothing: it is not read yet.
  const bytes = parseBody ? await readJsonBytes(request, operation.emptyBody ?? false) : new Uint8Array();
  const body = parseBody?.(bytes);
  const input = {
    params: paramsSchema && dataOf(paramsSchema.safeParse(params), "path"),
    query: query && dataOf(query.safeParse(readQuery(new URL(request.url).searchParams)), "query"),
    body: body && dataOf(body, "body"),
    bytes,
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
  if (others.length === 0) return "application/json";
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
