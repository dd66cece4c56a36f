import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { searchFilters } from "../../../lib/contract/offer";
import { buildOpenApiDocument } from "../../../lib/contract/openapi";
import { createTemplateBody } from "../../../lib/contract/template";
import { specified, specifiedOperations } from "./specified-fields";

const file = new URL("../../../../shared/spec/marketplace-api.md", import.meta.url);
const present = existsSync(file);
if (!present) {
  console.warn(`SKIPPED: ${file.pathname} is not there; only the lists in specified-fields.ts were checked.`);
}
const specification = present ? readFileSync(file, "utf8") : "";

/** The cells of every table under the heading of a section, without heads and rules. */
function rowsOf(section: string): string[][] {
  const [, after = ""] = specification.split(`### ${section} `);
  const [body = ""] = after.split(/^##/m);
  const tables = body
    .split(/\n(?!\|)/)
    .map((part) => part.split("\n").filter((line) => line.startsWith("|")));
  return tables.flatMap((lines) =>
    lines.slice(2).map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  );
}

type Property = { type?: string | string[]; format?: string; $ref?: string; oneOf?: Property[] };

function kindsOf(property: Property): string[] {
  if (property.$ref) return ["object"];
  if (property.oneOf) return property.oneOf.flatMap(kindsOf);
  const types = [property.type ?? []].flat().map((type) => (type === "integer" ? "number" : type));
  return property.format === "date-time" ? ["timestamp", ...types] : types;
}

const document = buildOpenApiDocument();
const component = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

describe.skipIf(!present)("the specification's own text", () => {
  const tabled = Object.entries(specified).flatMap(([name, { section }]) =>
    section ? [[name, section] as const] : [],
  );

  it.each(tabled)("API-02 %s: fields and types are those of section %s", (name, section) => {
    const rows = rowsOf(section);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.map(([field]) => field).sort()).toEqual(specified[name]?.fields.split(" ").sort());
    const schema = document.components?.schemas?.[component(name)];
    const properties: Record<string, Property> =
      schema && "properties" in schema ? Object(schema.properties) : {};
    for (const [field = "", type = ""] of rows) {
      const kinds = kindsOf(properties[field] ?? {});
      const wanted = /^(Configuration|Location|Full offer|Embedded provider|Template snapshot|object)/.test(
        type,
      )
        ? "object"
        : type.split(/[ ,]/)[0];
      expect(kinds, `${field}: ${type}`).toContain(wanted);
    }
  });

  it("API-02 the members of docker_private, deployment_data, ram and disk are there", () => {
    const members = [
      ...specification.matchAll(
        /^\| (\w+) \| object \{(\w+: string(?:, \w+: string)*|amount: number, unit: string)/gm,
      ),
    ].map(([, field, list = ""]) => [field, list.split(",").map((member) => member.split(":")[0]?.trim())]);
    expect(Object.fromEntries(members)).toEqual({
      ram: ["amount", "unit"],
      disk: ["amount", "unit"],
      docker_private: ["registry", "login", "password"],
      deployment_data: ["base_url"],
    });
    expect(Object.keys(specified.templateSnapshot?.schema.shape.docker_private.shape)).toEqual([
      "registry",
      "login",
      "password",
    ]);
  });

  it("API-01 method, path and purpose table: the 23 operations", () => {
    const pairs = rowsOf("4.1").map(([method, path]) => `${method} ${path}`);
    expect(pairs.sort()).toEqual(Object.values(specifiedOperations).sort());
  });

  it("API-02 the search takes all filters of 4.2", () => {
    const names = rowsOf("4.2").flatMap(([field = ""]) => field.split(", "));
    expect(names.sort()).toEqual(
      [...Object.keys(searchFilters.shape), "currency", "query", "sort_by"].sort(),
    );
  });

  it("API-07 the defaults that the specification shows are those of a new template", () => {
    const made: Record<string, unknown> = createTemplateBody.parse({ name: "a", image: "b" });
    const shown = [...rowsOf("2.9"), ...rowsOf("4.3")].filter(([, , value]) => value);
    expect(shown.length).toBeGreaterThan(7);
    for (const [field = "", , value] of shown) expect(String(made[field]), field).toBe(value);
  });
});
