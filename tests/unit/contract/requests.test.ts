import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuery } from "../../../lib/contract/common";
import { updateHostBody } from "../../../lib/contract/host";
import { controlInstanceQuery, createInstanceBody, listInstancesQuery } from "../../../lib/contract/instance";
import { toDetail } from "../../../lib/contract/issues";
import { searchBody, searchFilters } from "../../../lib/contract/offer";
import type { InputSchema, Operation } from "../../../lib/contract/operation";
import { operations } from "../../../lib/contract/operations";
import { createSecretBody } from "../../../lib/contract/secret";
import { createTemplateBody, listTemplatesQuery, updateTemplateBody } from "../../../lib/contract/template";
import { offerSorts } from "../../../lib/contract/words";

const template = { name: "a", image: "b" };
const fieldsRefused = (schema: InputSchema, input: unknown) =>
  schema.safeParse(input).error?.issues.map((issue) => issue.path.join("."));

describe("request bodies", () => {
  it("API-07 the defaults of a search, a rent and a key", () => {
    expect(searchBody.parse({})).toEqual({
      currency: "USD",
      query: {},
      sort_by: "price_asc",
      start: 0,
      limit: 1000,
    });
    expect(createInstanceBody.parse({ offer_id: "o", template_id: "t" })).toEqual({
      offer_id: "o",
      template_id: "t",
      reserve_period: "hour",
      label: false,
      auto_renew: false,
      currency: "USD",
    });
    expect(createSecretBody.parse({ value: "k", name: "n" })).toEqual({
      secret_type: "ssh",
      value: "k",
      name: "n",
    });
  });

  it("API-08 null is absent in every optional field of a body, and missing in a required one", () => {
    for (const operation of Object.values<Operation>(operations)) {
      if (!operation.body || operation.id === "updateTemplate") continue;
      const nulls = Object.fromEntries(Object.keys(operation.body.shape).map((field) => [field, null]));
      const { body } = operation;
      const detailOf = (input: unknown) => {
        const { error } = body.safeParse(input);
        return error ? toDetail(error, "body") : [];
      };
      expect(detailOf(nulls)).toEqual(detailOf({}));
      for (const { type } of detailOf(nulls)) expect(type).toBe("missing");
    }
    expect(createTemplateBody.parse({ ...template, description: null, is_private: null })).toEqual(
      createTemplateBody.parse(template),
    );
  });

  it.each([[null], [""], [[]]])("API-08 %j is absent in every filter of a search", (blank) => {
    const query = Object.fromEntries(Object.keys(searchFilters.shape).map((field) => [field, blank]));
    const parsed = searchBody.parse({ query, currency: blank, sort_by: blank, start: blank, limit: blank });
    expect(parsed).toEqual(searchBody.parse({}));
    expect(searchBody.parse({ query: blank })).toEqual(searchBody.parse({}));
  });

  it("API-08 unknown fields are ignored, at any depth", () => {
    expect(searchBody.parse({ query: { colour: 1, vram_gt: 2 }, x: {} }).query).toEqual({ vram_gt: 2 });
  });

  it("API-09 PUT template: absent keeps, null resets, an empty registry password clears", () => {
    expect(updateTemplateBody.parse({})).toEqual({});
    const { name, image, ...optionalFields } = updateTemplateBody.shape;
    const nulls = Object.fromEntries(Object.keys(optionalFields).map((field) => [field, null]));
    expect(updateTemplateBody.parse(nulls)).toEqual(nulls);
    expect(updateTemplateBody.parse({ docker_password: "", image_tag: "", env: "" })).toEqual({
      docker_password: null,
      image_tag: null,
      env: "",
    });
    expect(fieldsRefused(updateTemplateBody, { name: null, image: null })).toEqual(["name", "image"]);
  });

  it("API-10 numbers are finite numbers, within their bounds", () => {
    const over = JSON.parse('{"limit":1e400,"query":{"price_lt":-1e400,"vram_gt":"24"}}');
    expect(fieldsRefused(searchBody, over)).toEqual(["query.price_lt", "query.vram_gt", "limit"]);
    for (const limit of [0, 1001, 1.5, "5", true])
      expect(fieldsRefused(searchBody, { limit })).toEqual(["limit"]);
    for (const price of [0, -1, 0.0000001, 1.1234567, "1"])
      expect(fieldsRefused(updateHostBody, { price }), `${price}`).toEqual(["price"]);
    for (const price of [0.000001, 10_000, 1.123456, 9_999.999999, 0.3])
      expect(updateHostBody.parse({ price })).toEqual({ price });
    for (const disk_gb of [0, -5, Number.NaN])
      expect(fieldsRefused(createInstanceBody, { offer_id: "", template_id: "", disk_gb })).toEqual([
        "disk_gb",
      ]);
  });

  it("API-10 only listed currencies, sorts, periods and key types are taken", () => {
    expect(offerSorts).toHaveLength(28);
    for (const sort_by of offerSorts) expect(searchBody.parse({ sort_by }).sort_by).toBe(sort_by);
    expect(fieldsRefused(searchBody, { currency: "EUR", sort_by: "price" })).toEqual(["currency", "sort_by"]);
    expect(fieldsRefused(createSecretBody, { value: "k", name: "n", secret_type: "gpg" })).toEqual([
      "secret_type",
    ]);
  });

  it("API-10 a port map has port numbers and protocols only", () => {
    expect(createTemplateBody.parse({ ...template, ports: { "8080": "tcp", "53": "udp" } }).ports).toEqual({
      "8080": "tcp",
      "53": "udp",
    });
    const hostile = [
      '{"0":"tcp"}',
      '{"65536":"tcp"}',
      '{"80":"sctp"}',
      '{"__proto__":"tcp"}',
      '["tcp"]',
      '"80"',
    ];
    for (const ports of hostile)
      expect(fieldsRefused(createTemplateBody, { ...template, ports: JSON.parse(ports) }), ports).toEqual([
        "ports",
      ]);
  });

  it("API-10 links are https, or empty", () => {
    for (const href of ["http://a.b", "javascript:alert(1)", "https://", "https://a b", "https://a\n"])
      expect(fieldsRefused(createTemplateBody, { ...template, href }), href).toEqual(["href"]);
    expect(createTemplateBody.parse({ ...template, href: "https://a.b/c?d", picture: "" })).toMatchObject({
      href: "https://a.b/c?d",
      picture: undefined,
    });
  });

  it("API-11 an id of any shape passes, and one that no row can have names nothing", () => {
    for (const id of ["x", "../..", "💥", "' OR 1=1 --", ""])
      expect(createInstanceBody.parse({ offer_id: id, template_id: id }).offer_id).toBe(id);
    for (const id of ["a\u0000b", "\ud800", "x".repeat(70_000)])
      expect(operations.getTemplate.params.parse({ template_id: id })).toEqual({ template_id: "" });
  });

  it("API-12 U+0000 and lone surrogates are refused in text, pairs are not", () => {
    for (const name of ["a\u0000", "\ud800", "\udc00\ud800"])
      expect(fieldsRefused(createTemplateBody, { ...template, name })).toEqual(["name"]);
    expect(createTemplateBody.parse({ ...template, name: " 💥 " }).name).toBe(" 💥 ");
    expect(fieldsRefused(searchBody, { query: { location: ["ok", "\u0000"] } })).toEqual([
      "query.location.1",
    ]);
    expect(fieldsRefused(createTemplateBody, { ...template, env: "x".repeat(70_000) })).toEqual(["env"]);
  });
});

describe("query parameters", () => {
  const parse = (schema: InputSchema, query: string) =>
    schema.safeParse(readQuery(new URLSearchParams(query)));

  it("API-13 absent and empty are one, and give the defaults", () => {
    for (const query of ["", "currency=&locale=&lang=&start=&limit="])
      expect(parse(listInstancesQuery, query).data).toEqual({
        currency: "USD",
        locale: "en",
        start: 0,
        limit: 1000,
      });
    expect(parse(controlInstanceQuery, "action=").data).toEqual({ action: undefined });
  });

  it("API-13 lang is another name for locale, which wins", () => {
    expect(parse(listInstancesQuery, "lang=ru").data).toMatchObject({ locale: "ru" });
    expect(parse(listInstancesQuery, "lang=ru&locale=en").data).toMatchObject({ locale: "en" });
    expect(parse(listInstancesQuery, "lang=fr").error?.issues[0]?.path).toEqual(["lang"]);
  });

  it("API-13 a repeated parameter, a value outside its list and a number that is none are refused", () => {
    const refused = [
      "limit=0",
      "limit=1001",
      "start=-1",
      "limit=1e2",
      "limit=%205",
      "start=99999999999999999999",
    ];
    for (const query of [...refused, "limit=5&limit=5", "type=vm", "type=ssh&type=ssh", "sort_by=name"])
      expect(parse(listTemplatesQuery, query).success, query).toBe(false);
    expect(parse(listTemplatesQuery, "unknown=1&unknown=2&__proto__=3").success).toBe(true);
    expect(parse(listTemplatesQuery, "limit=007&start=12&type=ssh").data).toMatchObject({
      limit: 7,
      start: 12,
    });
  });
});

describe("hostile input", () => {
  const schemas = Object.values<Operation>(operations).flatMap(({ id, body, query, params }) =>
    [body, query, params].flatMap((schema) => (schema ? [[id, schema] as const] : [])),
  );
  const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const texts = [
    '{"__proto__":{"name":"a"},"constructor":{"prototype":{}},"toString":1,"query":{"__proto__":{"vram_gt":1}}}',
    `{"name":${nested},"query":${nested},"ports":${nested},"secret_ids":${nested},"value":${nested}}`,
    '{"limit":1e400,"price":-1e400,"disk_gb":1e309,"query":{"ram_gt":1e999}}',
    '{"name":"\\ud800","offer_id":"\\u0000","secret_id":"\\udfff","query":{"location":["\\ud83d"]}}',
    '{"query":{"location":{"length":1,"0":"a"}},"secret_ids":{"length":3},"ports":{"length":1}}',
    `{"name":"${"x".repeat(70_000)}","query":{"provider":"${"y".repeat(70_000)}"}}`,
    '"a"',
    "[]",
    "null",
    "0",
  ];
  const inputs = texts.map((text): unknown => JSON.parse(text));

  it.each(schemas)("API-14 a schema of %s answers hostile JSON without throwing", (_, schema) => {
    for (const input of inputs) {
      const { error } = schema.safeParse(input);
      if (error) expect(toDetail(error, "body").length).toBeGreaterThan(0);
    }
    expect(Object.prototype).not.toHaveProperty("vram_gt");
  });

  it.each(schemas)("API-14 a schema of %s answers any JSON value without throwing", (_, schema) => {
    const shape = Object.keys("shape" in schema ? schema.shape : {});
    const body = fc.oneof(
      fc.jsonValue({ stringUnit: "binary" }),
      fc.dictionary(fc.constantFrom(...shape, "x"), fc.jsonValue({ maxDepth: 3, stringUnit: "binary" })),
    );
    fc.assert(
      fc.property(body, (input) => {
        const { error } = schema.safeParse(input);
        for (const { loc, msg, type } of error ? toDetail(error, "body") : [])
          expect([loc[0], typeof msg, typeof type]).toEqual(["body", "string", "string"]);
      }),
      { numRuns: 300 },
    );
  });

  it("API-14 a filter that only the prototype has is no filter", () => {
    expect(searchBody.parse(JSON.parse('{"query":{"__proto__":{"vram_gt":99}}}')).query).toEqual({});
  });
});
