import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCodes } from "../../../lib/contract/errors";
import { buildOpenApiDocument } from "../../../lib/contract/openapi";
import type { Operation } from "../../../lib/contract/operation";
import { operations } from "../../../lib/contract/operations";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const document = buildOpenApiDocument();
const text = JSON.stringify(document);
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-openapi-"));
  await writeFile(join(folder, "openapi.json"), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function operationOf({ path, method }: Operation) {
  const item: Record<string, unknown> = { ...document.paths?.[path] };
  return Object(item[method.toLowerCase()]);
}

describe("the OpenAPI document", () => {
  it("API-17 passes redocly's recommended rules without an error or a warning", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(root, "node_modules/@redocly/cli/bin/cli.js"),
        "lint",
        join(folder, "openapi.json"),
        "--config",
        join(root, "redocly.yaml"),
        "--format=json",
      ],
      { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  });

  it("API-17 makes types by openapi-typescript", async () => {
    const types = astToString(await openapiTS(text));
    for (const name of Object.keys(operations)) expect(types).toContain(`${name}: {`);
  });

  it("API-17 is the same each time", () => {
    expect(JSON.stringify(buildOpenApiDocument())).toBe(text);
  });

  it("API-18 describes each operation: id, success, failures, example, key", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components?.securitySchemes).toEqual({
      apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
    });
    for (const operation of Object.values<Operation>(operations)) {
      const described = operationOf(operation);
      expect(described.operationId).toBe(operation.id);
      expect(described.responses["200"].content["application/json"].example).toEqual(
        operation.example.response,
      );
      for (const status of ["401", "403", "422", "429", "500", "503", "default"])
        expect(described.responses, `${operation.id} ${status}`).toHaveProperty(status);
      expect("requestBody" in described).toBe("body" in operation || "upload" in operation);
    }
  });

  it("API-18 takes an Idempotency-Key wherever something can change", () => {
    for (const operation of Object.values<Operation>(operations)) {
      const parameters: unknown[] = operationOf(operation).parameters ?? [];
      const taken = JSON.stringify(parameters).includes("#/components/parameters/IdempotencyKey");
      expect(taken, operation.id).toBe(operation.method !== "GET");
    }
  });

  it("API-18 lists every error code, and the headers that go with some", () => {
    const error = document.components?.schemas?.Error;
    expect(error).toMatchObject({ properties: { code: { enum: Object.keys(errorCodes) } } });
    const { responses } = document.components ?? {};
    expect(responses?.InvalidApiKey).toHaveProperty("headers.WWW-Authenticate");
    expect(responses?.TooManyRequests).toHaveProperty("headers.Retry-After");
    expect(responses?.Unavailable).toHaveProperty("headers.Retry-After");
    expect(responses?.OtherError).toHaveProperty("headers.Allow");
  });

  it("API-18 shows bodies as they are sent: null and absent allowed where there is a default", () => {
    expect(document.components?.schemas?.CreateTemplateBody).toMatchObject({
      required: ["name", "image"],
      properties: { image_tag: { type: ["string", "null"], default: "latest", maxLength: 128 } },
    });
  });

  it("API-18 leaves room for new fields in answers", () => {
    expect(text).not.toContain('"additionalProperties":false');
  });
});
