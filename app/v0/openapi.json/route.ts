import { buildOpenApiDocument } from "@/lib/contract/openapi";
import { makeHandler } from "@/lib/http/handler";

let text: string | undefined;

/** The contract as OpenAPI 3.1; needs no key. */
export const GET = makeHandler(async () => {
  text ??= JSON.stringify(buildOpenApiDocument());
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: text };
});
