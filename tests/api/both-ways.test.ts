import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/contract/operation";
import type { OperationName } from "@/lib/contract/operations";
import { dispatch } from "@/lib/http/router";
import { startTestServer, stopTestServers } from "../server/start-test-server";
import { checkAnswer, makeAccount, pathOf } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { startNext } from "../support/next-start";
import { allOperations, missingParams } from "../support/send";
import { type CallInput, happyInput, makeWorld, type World } from "../support/world";

useTestDatabase();

/** What we say ourselves; the rest is the server's in front. */
const OWN_HEADERS = ["content-type", "cache-control", "x-request-id", "www-authenticate", "retry-after"];

let ours: string;
let plain: string;
let next: Awaited<ReturnType<typeof startNext>> | undefined;
let world: World;
beforeAll(async () => {
  ours = (await startTestServer({ dispatch })).url;
  next = await startNext();
  plain = next.url;
  world = await makeWorld();
});
afterAll(async () => {
  await stopTestServers();
  await next?.stop();
});

interface Sent {
  key?: string;
  body?: string;
  method?: string;
}

async function ask(url: string, operation: Operation, input: CallInput, sent: Sent = {}) {
  const query = new URLSearchParams(input.query).toString();
  const payload = sent.body ?? input.file ?? (input.body && JSON.stringify(input.body)) ?? null;
  const answer = await fetch(url + pathOf(operation, input.params) + (query && `?${query}`), {
    method: sent.method ?? operation.method,
    headers: {
      "x-request-id": "req_same",
      ...(sent.key === undefined ? {} : { "x-api-key": sent.key }),
      ...(payload === null
        ? {}
        : { "content-type": input.file ? "application/x-ndjson" : "application/json" }),
    },
    body: payload,
  });
  const headers = Object.fromEntries(OWN_HEADERS.map((name) => [name, answer.headers.get(name)]));
  const text = await answer.text();
  return { status: answer.status, headers, body: text === "" ? null : JSON.parse(text) };
}

async function askBoth(operation: Operation, input: CallInput, sent: Sent = {}) {
  return [await ask(ours, operation, input, sent), await ask(plain, operation, input, sent)] as const;
}

/** Ids, times and sums differ from one world to another, and their kinds do not. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  // A time may come between the two: an import ends.
  const shapes = Object.entries(value).map(([name, inner]) => [
    name,
    name.endsWith("_at") ? "time" : shapeOf(inner),
  ]);
  return Object.fromEntries(shapes);
}

/** The same to the letter; what was done for real, twice, is alike in kind. */
function expectAlike(first: Awaited<ReturnType<typeof ask>>, second: typeof first): void {
  if (first.status === 200)
    expect({ ...second, body: shapeOf(second.body) }).toEqual({ ...first, body: shapeOf(first.body) });
  else expect(second).toEqual(first);
}

const missing = (operation: Operation): CallInput => ({ params: missingParams(operation) });
const withBody = allOperations.filter(([, { body }]) => body);
const reading = allOperations.filter(([, { method }]) => method === "GET");

describe("our router and plain next start", () => {
  it.each(allOperations)("WAY-01 say the same of %s", async (id: OperationName, operation) => {
    const isRead = operation.method === "GET";
    const [mine, theirs] = isRead ? [world, world] : [await makeWorld(), await makeWorld()];
    const first = await ask(ours, operation, happyInput(mine)[id], { key: mine.key });
    const second = await ask(plain, operation, happyInput(theirs)[id], { key: theirs.key });
    checkAnswer(operation, first.status, first.body);
    expect(first.status).toBe(operation.sessionOnly ? 403 : 200);
    expectAlike(first, second);
  });

  it.each(allOperations)("WAY-02 refuse who may not call %s in the same words", async (_, operation) => {
    const { key: scopeless } = await makeAccount({ scopes: [] });
    for (const key of [undefined, "nonsense", scopeless]) {
      const sent = key === undefined ? {} : { key };
      const [first, second] = await askBoth(operation, missing(operation), sent);
      expect(second).toEqual(first);
    }
  });

  it.each(allOperations)("WAY-03 say alike what %s of nothing is", async (_, operation) => {
    const [first, second] = await askBoth(operation, missing(operation), { key: world.key });
    expectAlike(first, second);
  });

  it.each(withBody)("WAY-04 find the same faults in the body of %s", async (_, operation) => {
    for (const body of ["{", "[]", '{"limit":-1,"query":{"vram_gt":"x"},"name":7}', "\ud800"]) {
      const [first, second] = await askBoth(operation, missing(operation), { key: world.key, body });
      expectAlike(first, second);
    }
  });

  it.each(reading)("WAY-05 answer HEAD of %s alike", async (id, operation) => {
    const [first, second] = await askBoth(operation, happyInput(world)[id], {
      key: world.key,
      method: "HEAD",
    });
    expect(first.body).toBeNull();
    expect(second).toEqual(first);
  });
});
