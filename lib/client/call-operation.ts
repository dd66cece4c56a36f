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
  if (answer.ok) return answer.json();
  throw new ApiError(answer.status, await readDetail(answer));
}

/** A 422 lists its issues instead of a sentence, and what a proxy answers is no JSON at all. */
async function readDetail(answer: Response): Promise<string> {
  const json: unknown = await answer.json().catch(() => null);
  const detail = typeof json === "object" && json !== null && "detail" in json ? json.detail : null;
  if (typeof detail === "string") return detail;
  return answer.status === 422
    ? "The request is not valid."
    : `The server answered ${answer.status}. Try again in a moment.`;
}

function urlOf(operation: Operation, params: Record<string, string>, query: object = {}): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size > 0 ? `${path}?${search}` : path;
}
