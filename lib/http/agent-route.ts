import type { z } from "zod";
import { type AgentCaller, authenticateAgent } from "../agents/authenticate-agent";
import { toDetail } from "../contract/issues";
import { whileDatabaseAnswers } from "../db/heartbeat";
import { DomainError, notFound, ValidationError } from "../kernel/errors";
import { failureAnswer, jsonAnswer } from "./answers";
import { clientAddress, refuseCaller } from "./authenticate";
import { makeHandler, type RouteHandler } from "./handler";
import { peerOf } from "./peer";
import { parseJsonBody, readJsonBytes } from "./read-body";
import { requestIdOf } from "./request-id";

const LARGEST_REPORT = 1024 * 1024;
const BAD_SECRET =
  "The agent's secret is missing, unknown or revoked. Join the machine anew, with a new host token (on the market: npm run -s berth -- host token create).";

interface AgentInput<In> {
  caller: AgentCaller;
  /** The secret that the call came with. */
  secret: string;
  input: In;
  params: Record<string, string>;
  request: Request;
}

/**
 * Makes a handler of what agents call: not part of the public contract, but with its error shape. The input is the body, or
 * the query of a GET.
 */
export function agentRoute<In>(
  schema: z.ZodType<In>,
  handle: (call: AgentInput<In>) => Promise<object>,
): RouteHandler {
  return answering(async (request, params) => {
    const { caller, secret } = await requireAgent(request);
    return handle({ caller, secret, input: await readInput(schema, request), params, request });
  });
}

/** The one call that an agent makes without a secret. */
export function joinRoute<In>(
  schema: z.ZodType<In>,
  handle: (call: { caller: AgentCaller | null; input: In; address: string }) => Promise<object>,
): RouteHandler {
  return answering(async (request) => {
    const caller = request.headers.has("authorization") ? (await requireAgent(request)).caller : null;
    const input = await readInput(schema, request);
    try {
      return await handle({ caller, input, address: addressOf(request) });
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "invalid_api_key")) throw error;
      throw refuseCaller(request, peerOf(request).address, error.message);
    }
  });
}

function addressOf(request: Request): string {
  return clientAddress(request, peerOf(request).address) ?? "";
}

function answering(run: (request: Request, params: Record<string, string>) => Promise<object>): RouteHandler {
  return makeHandler(async (request, params) => {
    const requestId = requestIdOf(request);
    try {
      // PostgreSQL has no U+0000: what holds one names nothing.
      if (Object.values(params).some((value) => value.includes("\0"))) throw notFound("path");
      const data = await whileDatabaseAnswers(() => run(request, params));
      return jsonAnswer(200, JSON.stringify({ ok: true, data }), requestId);
    } catch (error) {
      return failureAnswer(error, requestId);
    }
  });
}

async function requireAgent(request: Request): Promise<{ caller: AgentCaller; secret: string }> {
  const secret = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  const caller = await authenticateAgent(secret);
  if (!caller) throw refuseCaller(request, peerOf(request).address, BAD_SECRET);
  return { caller, secret };
}

async function readInput<In>(schema: z.ZodType<In>, request: Request): Promise<In> {
  const isGet = request.method === "GET";
  const given = isGet
    ? Object.fromEntries(new URL(request.url).searchParams)
    : parseJsonBody(await readJsonBytes(request, true, LARGEST_REPORT), true);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ValidationError(toDetail(parsed.error, isGet ? "query" : "body"));
}
