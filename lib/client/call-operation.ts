import type { Operation } from "../contract/operation";
import type { BodyInput, Operations, QueryInput, ResponseOf } from "../contract/operations";

type AnyOperation = Operations[keyof Operations];

interface Call<Op> {
  params?: Record<string, string>;
  query?: QueryInput<Op>;
  body?: BodyInput<Op>;
}

/** An answer other than 200, with what it says for people. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
  }
}

/**
 * Calls an operation of the API as the signed-in browser.
 * @throws ApiError
 */
export async function callOperation<Op extends AnyOperation>(
  operation: Op,
  { params = {}, query, body }: Call<Op> = {},
): Promise<ResponseOf<Op>> {
  const answer = await fetch(urlOf(operation, params, query), {
    method: operation.method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  if (answer.ok) return json;
  const detail = typeof json.detail === "string" ? json.detail : "The request is not valid.";
  throw new ApiError(answer.status, detail);
}

function urlOf(operation: Operation, params: Record<string, string>, query: object = {}): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size > 0 ? `${path}?${search}` : path;
}
