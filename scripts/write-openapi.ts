import { buildOpenApiDocument } from "@/lib/contract/openapi";

process.stdout.write(`${JSON.stringify(buildOpenApiDocument(), null, 2)}\n`);
