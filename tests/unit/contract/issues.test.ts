import { describe, expect, it } from "vitest";
import { validationDetail } from "../../../lib/contract/errors";
import { createInstanceBody } from "../../../lib/contract/instance";
import { invalidJson, toDetail } from "../../../lib/contract/issues";
import { searchBody } from "../../../lib/contract/offer";
import type { InputSchema } from "../../../lib/contract/operation";
import { createSecretBody } from "../../../lib/contract/secret";
import { createTemplateBody, listTemplatesQuery } from "../../../lib/contract/template";

function detailOf(schema: InputSchema, input: unknown, place: "body" | "query" = "body") {
  const { error } = schema.safeParse(input);
  return error ? toDetail(error, place) : [];
}

describe("the detail of a 422", () => {
  it("API-15 says which fields are missing, in the order of the schema", () => {
    const missing = { msg: "Field required", type: "missing" };
    expect(detailOf(createInstanceBody, { template_id: null })).toEqual([
      { loc: ["body", "offer_id"], ...missing },
      { loc: ["body", "template_id"], ...missing },
    ]);
  });

  it("API-15 says in plain words what a value must be, with integers for positions in lists", () => {
    const input = {
      currency: "EUR",
      query: { location: ["a", 1], in_stock: "yes", ram_gt: "x", provider: {}, gpu_translit_name: "rtx" },
      start: 0.5,
      limit: Number.POSITIVE_INFINITY,
    };
    expect(detailOf(searchBody, input)).toEqual([
      { loc: ["body", "currency"], msg: "Must be USD or RUB or QOIN", type: "enum" },
      { loc: ["body", "query", "location", 1], msg: "Must be a string", type: "string_type" },
      { loc: ["body", "query", "gpu_translit_name"], msg: "Must be a list", type: "list_type" },
      { loc: ["body", "query", "provider"], msg: "Must be a string", type: "string_type" },
      { loc: ["body", "query", "in_stock"], msg: "Must be true or false", type: "bool_type" },
      { loc: ["body", "query", "ram_gt"], msg: "Must be a number", type: "float_type" },
      { loc: ["body", "start"], msg: "Must be a whole number", type: "int_type" },
      { loc: ["body", "limit"], msg: "Must be a finite number", type: "finite_number" },
    ]);
  });

  it("API-15 gives lengths and bounds", () => {
    expect(detailOf(createSecretBody, { name: "", value: "x".repeat(16_385) })).toEqual([
      { loc: ["body", "value"], msg: "Must have at most 16384 characters", type: "string_too_long" },
      { loc: ["body", "name"], msg: "Must have at least 1 character", type: "string_too_short" },
    ]);
    expect(detailOf(searchBody, { start: -1, limit: 1001 })).toEqual([
      { loc: ["body", "start"], msg: "Must be 0 or more", type: "greater_than_equal" },
      { loc: ["body", "limit"], msg: "Must be 1000 or less", type: "less_than_equal" },
    ]);
    const rent = { offer_id: "", template_id: "" };
    expect(detailOf(createInstanceBody, { ...rent, disk_gb: 0, secret_ids: Array(101).fill("s") })).toEqual([
      { loc: ["body", "disk_gb"], msg: "Must be more than 0", type: "greater_than" },
      { loc: ["body", "secret_ids"], msg: "Must have at most 100 elements", type: "too_long" },
    ]);
  });

  it("API-15 names query parameters, and says so when one came twice", () => {
    expect(detailOf(listTemplatesQuery, { type: "vm", start: ["1", "2"], limit: "ten" }, "query")).toEqual([
      { loc: ["query", "type"], msg: "Must be ssh or jupyter or docker", type: "enum" },
      { loc: ["query", "start"], msg: "Give this parameter only once", type: "repeated_parameter" },
      { loc: ["query", "limit"], msg: "Must be a whole number written in digits", type: "int_parsing" },
    ]);
  });

  it.each([[null], ["text"], [1], [[]]])("API-15 a body that is %j is refused as a whole", (body) => {
    expect(detailOf(searchBody, body)).toEqual([
      { loc: ["body"], msg: "Must be an object", type: "dict_type" },
    ]);
  });

  it("API-15 has the specification's shape, also for what is not JSON", () => {
    expect(validationDetail.parse(invalidJson)).toEqual(invalidJson);
    const body = { detail: detailOf(createTemplateBody, {}) };
    expect(validationDetail.parse(body)).toEqual(body);
  });

  it("API-16 repeats neither values nor keys that the client chose", () => {
    const secret = "hunter2";
    const input = {
      [secret]: secret,
      name: `${secret}\u0000`,
      image: { [secret]: secret },
      image_tag: secret.repeat(30),
      docker_password: [secret],
      href: secret,
      ports: { [secret]: secret },
      use_ssh: secret,
      recommended_disk_space: secret,
    };
    const detail = detailOf(createTemplateBody, input);
    expect(detail).toHaveLength(8);
    expect(JSON.stringify(detail)).not.toContain(secret);
  });

  it("API-16 lists at most 100 issues", () => {
    const location = Array.from({ length: 150 }, () => 0);
    expect(detailOf(searchBody, { query: { location } })).toHaveLength(100);
  });
});
