import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { callApi, checkAnswer, pathOf } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import {
  type HostileBody,
  type HostileCall,
  hostileBody,
  hostileCall,
  MARKER,
} from "../support/hostile-input";
import { allOperations, send } from "../support/send";
import { happyInput, makeWorld, type World } from "../support/world";
import { specifiedOperations } from "../unit/contract/specified-fields";

useTestDatabase();

const SEED = 20_261_121;
/** Additions share their machinery with the specification's operations, and take fewer. */
const casesOf = (id: string) =>
  id in specifiedOperations ? { bodies: 2_000, calls: 500 } : { bodies: 500, calls: 150 };
/** More than the pool has connections, so that none is idle. */
const AT_ONCE = 16;

let bystander: World;
let before: unknown;
beforeAll(async () => {
  bystander = await makeWorld();
  before = await readBystander();
});

const bodyTakers = allOperations.flatMap(([id, operation]) =>
  operation.body ? [{ id, operation, schema: operation.body }] : [],
);

describe("hostile input", () => {
  it.each(bodyTakers)(
    "HOS-01 $id answers hostile bodies without a 5xx",
    async ({ id, operation, schema }) => {
      const world = await makeWorld();
      const { params, body = {} } = happyInput(world)[id];
      const path = pathOf(operation, params);
      const cases = fc.sample(hostileBody(schema, body), { seed: SEED, numRuns: casesOf(id).bodies });
      const statuses: number[] = [];
      await runAll(cases, async ({ bytes, contentType }: HostileBody) => {
        const headers: Record<string, string> =
          contentType === undefined ? {} : { "content-type": contentType };
        const answer = await send(operation.method, path, { key: world.key, headers, body: bytes });
        statuses.push(answer.status);
        await judge(operation, answer, () => `${contentType} ${Buffer.from(bytes).toString().slice(0, 500)}`);
      });
    },
  );

  it.each(allOperations)(
    "HOS-02 %s answers hostile paths, queries and headers without a 5xx",
    async (id, operation) => {
      const world = await makeWorld();
      const { params, body } = happyInput(world)[id];
      const cases = fc.sample(hostileCall(operation, pathOf(operation, params)), {
        seed: SEED,
        numRuns: casesOf(id).calls,
      });
      await runAll(cases, async ({ path, headers, withKey }: HostileCall) => {
        const key = withKey ? world.key : undefined;
        const options = body ? { key, headers, body: JSON.stringify(body) } : { key, headers };
        const answer = await send(operation.method, path, options);
        await judge(operation, answer, () => `${path} ${JSON.stringify(headers)}`);
      });
    },
  );

  it("HOS-03 leaves the database whole and everybody else's rows as they were", async () => {
    expect(await readBystander()).toEqual(before);
    const [wrong] = await db().$queryRaw<{ owed: bigint; leased: bigint }[]>`
      SELECT (SELECT count(*) FROM balance WHERE available_micro < 0) AS owed,
        (SELECT count(*) FROM offer o WHERE o.leased <>
          EXISTS (SELECT 1 FROM instance i WHERE i.offer_id = o.id AND i.holds_lease)) AS leased`;
    expect(wrong).toEqual({ owed: 0n, leased: 0n });
    const answer = await callApi(operations.listInstances, { key: bystander.key });
    expect([answer.status, answer.body.total_items]).toEqual([200, 1]);
    expect("polluted" in {}).toBe(false);
  });
});

async function runAll<T>(cases: T[], run: (given: T) => Promise<void>): Promise<void> {
  const queue = cases.values();
  const work = async () => {
    for (const given of queue) await run(given);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function judge(operation: Operation, answer: Response, describeCase: () => string): Promise<void> {
  if (!answer.headers.get("content-type")?.startsWith("application/json")) {
    expect(operation.alternatives, describeCase()).toContain(
      answer.headers.get("content-type")?.split(";")[0],
    );
    return answer.body?.cancel();
  }
  const text = await answer.text();
  if (answer.status >= 500) expect.fail(`${answer.status} ${text} for ${describeCase()}`);
  if (answer.status === 200) return checkAnswer(operation, 200, JSON.parse(text));
  const body = JSON.parse(text);
  checkAnswer(operation, answer.status, body);
  // A well-formed request id is the client's own, and the one thing that is meant to come back.
  const said = JSON.stringify({ ...body, request_id: "" });
  if (answer.status !== 200 && said.includes(MARKER))
    expect.fail(`an error repeats its input: ${text} for ${describeCase()}`);
}

/** Everything of one who sent nothing, and of nobody. */
function readBystander(): Promise<unknown> {
  const { userId } = bystander;
  return db().$queryRaw`
    SELECT 'template' AS name, t::text FROM template t WHERE user_id = ${userId}
    UNION ALL SELECT 'secret', t::text FROM secret t WHERE user_id = ${userId}
    UNION ALL SELECT 'saved_search', t::text FROM saved_search t WHERE user_id = ${userId}
    UNION ALL SELECT 'instance', t::text FROM instance t WHERE user_id = ${userId}
    UNION ALL SELECT 'host', t::text FROM host t WHERE user_id = ${userId}
    UNION ALL SELECT 'balance', t::text FROM balance t WHERE user_id = ${userId}
    ORDER BY 1, 2`;
}
