import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { dispatch } from "@/lib/http/router";
import { destroyInstance } from "@/lib/instances/destroy-instance";
import { recordMetrics } from "@/lib/telemetry/record-telemetry";
import { startTestServer, stopTestServers } from "../server/start-test-server";
import { callApi, makeAccount, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeInstance } from "../support/make-instance";
import { send } from "../support/send";
import { idsOf, openStream, type StreamOptions } from "../support/streams";
import { waitUntil } from "../support/wait-until";
import { makeGpu, makeHost, rent } from "../support/world";

useTestDatabase();

interface PointData {
  at: string;
  gpu_util: number;
  inet_in: number;
}

let userId: string;
let key: string;
let instanceId: string;
let server: string;
beforeEach(async () => {
  ({ userId, key } = await makeAccount());
  instanceId = await makeInstance(userId, { status: "running", initializedAt: new Date() });
  server = (await startTestServer({ dispatch })).url;
});
afterEach(stopTestServers);

/** Points each 10 seconds, `count` of them up to `secondsAgo` ago; the n-th has n % 100 per cent and n bytes. */
function fill(count: number, secondsAgo = 0, id = instanceId) {
  return db().$executeRaw`
    INSERT INTO instance_metric
    SELECT ${id}, date_bin('10 seconds', now(), 'epoch') - make_interval(secs => ${secondsAgo}::int + (${count}::int - n) * 10),
      n % 100, n % 100, n % 100, n % 100, n, n * 2 FROM generate_series(1, ${count}::int) n`;
}

async function list(query: Record<string, string> = {}) {
  const { status, body } = await callApi(operations.listInstanceMetrics, {
    key,
    params: { instance_id: instanceId },
    query,
  });
  expect(status).toBe(200);
  expect(body.total_items).toBe(body.data.length);
  return body;
}

const follow = (options: StreamOptions = {}) =>
  openStream<PointData>(`${server}/v0/instances/${instanceId}/metrics`, key, options);
const measured = { gpuUtil: 93.5, cpuUtil: 1, ramUtil: 2, memUtil: 100, inetIn: 8_120_334_121n, inetOut: 0 };
const record = (...ids: string[]) =>
  inTransaction((tx) =>
    recordMetrics(
      tx,
      ids.map((id) => ({ instanceId: id, ...measured })),
    ),
  );

describe("points", () => {
  it("LOG-19 are one an instance and ten seconds, the first that comes, and the instance shows the newest", async () => {
    const other = await makeInstance(userId);
    await record(instanceId, other);
    await inTransaction((tx) => recordMetrics(tx, [{ instanceId, ...measured, gpuUtil: 7 }]));
    for (const id of [instanceId, other]) {
      const points = await db().instanceMetric.findMany({
        where: { instanceId: id },
        orderBy: { at: "asc" },
      });
      // Two, where a bucket ended between the two reports.
      expect(points.length).toBeLessThanOrEqual(id === other ? 1 : 2);
      expect(points[0]).toMatchObject({ ...measured, inetOut: 0n });
      expect((points[0]?.at.getTime() ?? 1) % 10_000).toBe(0);
    }
    expect(await db().instance.findUniqueOrThrow({ where: { id: instanceId } })).toMatchObject({
      gpuUtil: 7,
      memUtil: 100,
      inetIn: 8_120_334_121n,
      observedAt: expect.any(Date),
    });
  });

  it("LOG-20 are those of the last hour unless asked otherwise, ascending, as they were measured", async () => {
    await fill(720);
    const { data, step } = await list();
    expect(step).toBe(10);
    expect(data.length).toBeGreaterThan(355);
    expect(data.length).toBeLessThanOrEqual(361);
    expect(data.at(-1)).toMatchObject({ gpu_util: 20, cpu_util: 20, inet_in: 720, inet_out: 1440 });
    const times = data.map(({ at }) => Date.parse(at));
    expect(times.every((at, n) => n === 0 || at - (times[n - 1] ?? 0) === 10_000)).toBe(true);
    const [first, last] = [data[10]?.at ?? "", data[20]?.at ?? ""];
    expect((await list({ from: first, to: last })).data).toEqual(data.slice(10, 20));
    expect((await list({ from: first, to: first })).data).toEqual([]);
    expect((await list({ from: "2h", to: "1h" })).data.length).toBeGreaterThan(350);
  });

  it("LOG-21 are never more than 500: of a long span the averages of longer steps", async () => {
    await fill(60_480);
    for (const [from, step] of [
      ["3h", 30],
      ["1d", 300],
      ["7d", 1800],
      ["1970-01-01", 1800],
    ] as const) {
      const body = await list({ from });
      expect(body.step).toBe(step);
      expect(body.data.length).toBeLessThanOrEqual(500);
      expect(body.data.length).toBeGreaterThan(240);
      expect(body.data.every(({ at }) => Date.parse(at) % (step * 1000) === 0)).toBe(true);
    }
    const { data } = await list({ from: "2d", to: "1d" });
    const [second, third] = [data[1], data[2]];
    const points = await db().instanceMetric.findMany({
      where: { instanceId, at: { gte: second?.at ?? "", lt: third?.at ?? "" } },
      orderBy: { at: "asc" },
    });
    expect(points).toHaveLength(30);
    const mean = points.reduce((sum, { gpuUtil }) => sum + gpuUtil, 0) / 30;
    expect(second?.gpu_util).toBeCloseTo(mean, 2);
    expect(second?.inet_in).toBe(Number(points.at(-1)?.inetIn));
  });

  it.each([
    ["from", "now"],
    ["from", "2026-13-01"],
    ["to", "tomorrow"],
    ["to", "5 minutes"],
  ])("LOG-22 refuses %s=%j where it stands", async (name, value) => {
    const { status, error } = await callApi(operations.listInstanceMetrics, {
      key,
      params: { instance_id: instanceId },
      query: { [name]: value },
    });
    expect([status, error.detail]).toMatchObject([422, [{ loc: ["query", name] }]]);
  });

  it("LOG-22 refuses a span that ends before it begins", async () => {
    const { status, error } = await callApi(operations.listInstanceMetrics, {
      key,
      params: { instance_id: instanceId },
      query: { from: "1h", to: "2h" },
    });
    expect([status, error.detail]).toMatchObject([422, [{ loc: ["query", "to"], type: "range" }]]);
  });
});

describe("following points", () => {
  it("LOG-23 gives the next as they come, or from an instant, or behind Last-Event-ID, each with id, event and data", async () => {
    await fill(100, 600);
    const { data } = await list();
    const [next, from, resumed] = [
      await follow(),
      await follow({ query: `?from=${data[90]?.at}` }),
      await follow({ query: "?from=7d", lastEventId: data[97]?.at ?? "" }),
    ];
    await from.until(10);
    await resumed.until(2);
    await record(instanceId);
    const [point] = await next.until(1);
    expect(point).toMatchObject({ event: "metric", data: { gpu_util: 93.5, inet_in: 8_120_334_121 } });
    expect(point?.id).toBe(point?.data.at);
    await from.until(11);
    await resumed.until(3);
    const times = [...data.map(({ at }) => at), point?.id];
    expect(idsOf(from)).toEqual(times.slice(90));
    expect(idsOf(resumed)).toEqual(times.slice(98));
    expect(from.events.slice(0, 10).map((event) => event.data)).toEqual(data.slice(90));
  });

  it.each(["x", "0", "10m", "2026-02-30T00:00:00Z"])(
    "LOG-24 refuses the cursor %j in JSON",
    async (cursor) => {
      const headers = { accept: "text/event-stream", "last-event-id": cursor };
      const answer = await send("GET", `/v0/instances/${instanceId}/metrics`, { key, headers });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ detail: [{ loc: ["header", "Last-Event-ID"] }] });
    },
  );

  it("LOG-25 ends with `end` when the instance is destroyed, and is closed to another account", async () => {
    const client = await follow();
    const other = await makeAccount();
    const ask = async (id: string, accept: string, who = other.key) => {
      const headers = { accept, "x-request-id": "same" };
      const answer = await send("GET", `/v0/instances/${id}/metrics`, { key: who, headers });
      return { status: answer.status, text: await answer.text() };
    };
    const accepts = ["text/event-stream", "application/json"];
    for (const accept of accepts) {
      const missing = await ask("inst_missing", accept);
      expect([missing.status, await ask(instanceId, accept)]).toEqual([404, missing]);
    }
    await destroyInstance({ userId, requestId: "req_x" }, instanceId);
    expect(await client.ended).toBe(true);
    expect(client.others.at(-1)).toBe('event: end\ndata: {"reason":"destroyed"}');
    for (const accept of accepts) expect((await ask(instanceId, accept, key)).status).toBe(404);
  });

  it("LOG-26 lets an account follow 20 times on a node, beside its logs", async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => follow()));
    expect(clients.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await follow()).status).toBe(429);
    const logs = await openStream(`${server}/v0/instances/${instanceId}/logs`, key);
    expect(logs.status).toBe(200);
    clients[0]?.cut();
    await waitUntil("a place", async () => {
      const client = await follow();
      client.cut();
      return client.status === 200;
    });
  });
});

describe("the fingerprint of an instance", () => {
  it("LOG-27 is that of its host's SSH key, where it lets in by SSH", async () => {
    await makeGpu();
    const [owner, renter] = [await makeAccount(), await makeAccount()];
    const seen: Record<string, string> = {};
    for (const useSsh of [true, false]) {
      const { hostId, offerId } = await makeHost(owner.userId);
      await db().host.update({ where: { id: hostId }, data: { fingerprint: "SHA256:abc" } });
      const { templateId } = await makeTemplate(renter.userId, { useSsh });
      const id = await rent(renter.key, { offer_id: offerId, template_id: templateId });
      const { body } = await callApi(operations.listInstances, { key: renter.key });
      seen[String(useSsh)] = body.data.find((instance) => instance.id === id)?.fingerprint ?? "none";
    }
    expect(seen).toEqual({ true: "SHA256:abc", false: "none" });
  });
});
