import { describe, expect, it } from "vitest";
import { emptyEnvelope } from "../../../lib/contract/common";
import { errorCodes } from "../../../lib/contract/errors";
import { errorsOf, type Operation, tags } from "../../../lib/contract/operation";
import { operations } from "../../../lib/contract/operations";
import { scopes } from "../../../lib/contract/words";
import { addedOperations, specified, specifiedOperations } from "./specified-fields";

const all = Object.entries<Operation>(operations);
/** What takes a body only because its question is long. */
const asks = new Set(["searchMarket", "countMarketFacets", "suggestRelaxation"]);
const words = (list = "") => list.split(" ").filter(Boolean).sort();

describe("the table of operations", () => {
  it("API-01 has the 23 operations of the specification, exactly, and the additions by name", () => {
    const pairs = Object.fromEntries(all.map(([name, { method, path }]) => [name, `${method} ${path}`]));
    expect(pairs).toEqual({ ...specifiedOperations, ...addedOperations });
    expect(Object.keys(specifiedOperations)).toHaveLength(23);
  });

  it("API-01 calls each operation by its own id and declares the parameters of its path", () => {
    for (const [name, operation] of all) {
      expect(operation.id).toBe(name);
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(Object.keys(operation.params?.shape ?? {}), name).toEqual(inPath);
    }
  });

  it("API-01 answers null where the specification says that nothing is returned", () => {
    const empty = all.filter(([, operation]) => operation.response === emptyEnvelope).map(([name]) => name);
    expect(empty.sort()).toEqual(
      words(
        "ping deleteSavedSearch deleteTemplate controlInstance deleteInstance rebootInstance attachSecret detachSecret deleteSecret " +
          "updateHost deleteHost revokeHostToken withdrawHost relistHost revokeApiKey " +
          "suspendAccount restoreAccount judgeHost destroyOperatorInstance flagInstance publishTemplate deleteAccount",
      ),
    );
  });

  it("API-01 counts total_items in the lists and the search, and not in the answer to renting", () => {
    const counted = all.filter(([, operation]) => "total_items" in operation.response.shape);
    expect(counted.map(([name]) => name).sort()).toEqual(
      words(
        "searchMarket listGpus listGpuPrices listSavedSearches listProviders listTemplates listInstances listSecrets listHosts listHostTokens " +
          "listBillingEntries listBillingUsage listHostEarnings listEvents listInstanceLogs listInstanceMetrics " +
          "listApiKeys " +
          "listOperatorAccounts listOperatorHosts listOperatorInstances listOperatorTemplates listRates listImports",
      ),
    );
  });

  it.each(Object.entries(specified))(
    "API-02 %s has every specified field and no unplanned one",
    (_, entry) => {
      expect(Object.keys(entry.schema.shape).sort()).toEqual(
        [...words(entry.fields), ...words(entry.additions)].sort(),
      );
    },
  );

  it.each(all)("API-03 the examples of %s are what its schemas accept", (_, operation) => {
    const { params, query, request, response } = operation.example;
    expect(operation.response.parse(response)).toEqual(response);
    if (operation.params) expect(operation.params.safeParse(params).error).toBeUndefined();
    if (operation.query) expect(operation.query.safeParse(query ?? {}).error).toBeUndefined();
    if (operation.body) {
      expect(operation.body.safeParse(request).error).toBeUndefined();
      for (const field of Object.keys(Object(request))) expect(operation.body.shape).toHaveProperty(field);
    }
  });

  it.each(all)(
    "API-04 an answer of %s that lacks a field or has an unknown one is caught",
    (_, operation) => {
      for (const [path, node] of objectsIn(operation.example.response)) {
        expect(
          operation.response.safeParse(replaced(operation, path, { ...node, leak: 1 })).success,
          path,
        ).toBe(false);
        for (const key of Object.keys(node)) {
          const { [key]: _, ...less } = node;
          expect(
            operation.response.safeParse(replaced(operation, path, less)).success,
            `${path}.${key}`,
          ).toBe(false);
        }
      }
    },
  );

  it("API-05 asks for a scope that exists, :write exactly where something changes", () => {
    for (const [name, { scope, method, tag }] of all) {
      expect(Object.keys(tags)).toContain(tag);
      if (scope === null) {
        expect(words("ping getAccount updateAccount deleteAccount")).toContain(name);
        continue;
      }
      expect(scopes).toContain(scope);
      expect(scope.endsWith(":write"), name).toBe(method !== "GET" && !asks.has(name));
    }
    expect(scopes).toHaveLength(16);
  });

  it("API-06 names each error once, with a status that is never 422", () => {
    for (const [name, operation] of all) {
      const codes = errorsOf(operation);
      expect(new Set(codes).size, name).toBe(codes.length);
      for (const code of codes) expect(errorCodes[code].status).not.toBe(422);
      expect(codes.includes("not_found"), name).toBe(
        operation.path.includes("{") || name === "createInstance",
      );
    }
  });

  it("API-19 what is shown once may be null in an answer", () => {
    for (const [name, operation] of all) {
      for (const field of operation.secretFields ?? []) {
        const { data, ...envelope } = Object(operation.example.response);
        expect(data[field], `${name} shows an example of ${field}`).toEqual(expect.any(String));
        const repeated = { ...envelope, data: { ...data, [field]: null } };
        expect(operation.response.safeParse(repeated).success, `${name} ${field}`).toBe(true);
      }
    }
  });
});

/** Free-form maps, where keys are data. */
const maps = new Set(["query", "ports", "env_variables", "extra"]);
/** An event's own `data`, in the list that the envelope calls so too. */
const ofEvent = /^\/data\/\d+\/data$/;

type Node = Record<string, unknown>;

function objectsIn(value: unknown, path = "", key = ""): [path: string, node: Node][] {
  if (typeof value !== "object" || value === null) return [];
  const children = Object.entries(value).flatMap(([name, child]) =>
    objectsIn(child, `${path}/${name}`, name),
  );
  if (Array.isArray(value) || maps.has(key) || ofEvent.test(path)) return children;
  return [[path, { ...value }], ...children];
}

function replaced(operation: Operation, path: string, node: Node): unknown {
  const place = (value: unknown, steps: string[]): unknown => {
    const [step, ...rest] = steps;
    if (step === undefined) return node;
    if (Array.isArray(value)) return value.map((item, i) => (String(i) === step ? place(item, rest) : item));
    const object: Node = { ...Object(value) };
    return { ...object, [step]: place(object[step], rest) };
  };
  return place(operation.example.response, path.split("/").slice(1));
}
