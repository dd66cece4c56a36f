import type { Operation } from "@/lib/contract/operation";
import { type OperationName, operations } from "@/lib/contract/operations";
import { toResponse } from "@/lib/http/answers";
import { dispatch } from "@/lib/http/router";
import { pathOf } from "./api";
import type { CallInput } from "./world";

export const allOperations: [OperationName, Operation][] = Object.values(operations).map((operation) => [
  operation.id,
  operation,
]);

interface SendOptions {
  key?: string | undefined;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  address?: string;
}

/** A request as written, in process, with nothing checked: for what `callApi` would not send. */
export async function send(method: string, path: string, options: SendOptions = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  if (options.key !== undefined) headers.set("x-api-key", options.key);
  const { body } = options;
  const bytes = body === undefined ? null : Buffer.from(body);
  const request = new Request(new URL(path, "http://127.0.0.1"), { method, headers, body: bytes });
  return toResponse(await dispatch(request, { address: options.address ?? "127.0.0.1" }));
}

/** An operation's request by its input. */
export function sendTo(operation: Operation, input: CallInput, options: SendOptions = {}): Promise<Response> {
  const query = new URLSearchParams(input.query).toString();
  const path = pathOf(operation, input.params) + (query && `?${query}`);
  const body = options.body ?? input.file ?? (input.body && JSON.stringify(input.body));
  return send(operation.method, path, body === undefined ? options : { ...options, body });
}

/** An id of the right shape that names nothing. */
export const MISSING = "missing0000000000000";

export function missingParams(operation: Operation): Record<string, string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, MISSING]));
}
