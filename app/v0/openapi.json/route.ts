import { buildOpenApiDocument } from "@/lib/contract/openapi";

let text: string | undefined;

/** The contract as OpenAPI 3.1; needs no key. */
export async function GET(): Promise<Response> {
  text ??= JSON.stringify(buildOpenApiDocument());
  return new Response(text, { headers: { "content-type": "application/json; charset=utf-8" } });
}
