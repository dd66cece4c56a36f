import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { followEvents } from "@/lib/events/follow-events";
import { makeLog } from "@/lib/http/log";
import { makeMetrics } from "@/lib/http/metrics";
import { createBerthServer } from "@/lib/http/node/berth-server";
import { rememberPeer } from "@/lib/http/peer";
import { route } from "@/lib/http/route";
import { dispatch } from "@/lib/http/router";
import { watchCaller } from "@/lib/http/watch-caller";
import type { Pace } from "@/lib/streams/follow-rows";
import { reconcileInstances } from "@/lib/worker/reconcile-instances";
import { openRaw } from "../server/raw-client";
import { startTestServer, stopTestServers } from "../server/start-test-server";
import { callApi, makeAccount, makeOffer, makeTemplate } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { connect, list, openEvents, settle, write } from "../support/events";
import { send } from "../support/send";
import { signIn } from "../support/sign-in";
import { idsOf } from "../support/streams";
import { waitUntil } from "../support/wait-until";
import { rent } from "../support/world";

useTestDatabase();

/** As long as a timer can be. */
const NEVER = 2 ** 31 - 1;

let userId: string;
let key: string;
let server: string;
beforeEach(async () => {
  ({ userId, key } = await makeAccount());
  server = (await startTestServer({ dispatch })).url;
});
afterEach(stopTestServers);

describe("following", () => {
  it("EVT-10 tells what happens as it happens, from now on, each event with id, type and data", async () => {
    await write(userId);
    await settle();
    const client = await openEvents(server, key);
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(/^req_/),
    });
    const { templateId } = await makeTemplate(userId);
    const { offerId } = await makeOffer();
    const instanceId = await rent(key, { offer_id: offerId, template_id: templateId });
    await reconcileInstances(() => undefined);
    const params = { instance_id: instanceId };
    await callApi(operations.controlInstance, { key, params, query: { action: "pause" } });
    const received = await client.until(3);
    expect(client.others[0]).toBe("retry: 1000");
    expect(received.map(({ event }) => event)).toEqual([
      "instance.created",
      "instance.running",
      "instance.paused",
    ]);
    const { events } = await list(key, { limit: 3 });
    expect(received.map(({ data }) => data)).toEqual(events);
    expect(received.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(new Set(events.map((event) => event.subject_id))).toEqual(new Set([instanceId]));
  });

  it("EVT-11 begins behind Last-Event-ID, else behind after, and keeps to the filters", async () => {
    const ids = [
      await write(userId),
      await write(userId, { type: "instance.paused" }),
      await write(userId),
      await write(userId),
    ];
    const [first = "", , third = "", fourth = ""] = ids;
    const after = await openEvents(server, key, { query: `?after=${first}` });
    const both = await openEvents(server, key, { query: `?after=${first}`, lastEventId: third });
    const filtered = await openEvents(server, key, { query: "?type=instance.paused", lastEventId: first });
    expect((await after.until(3)).map(({ id }) => id)).toEqual(ids.slice(1));
    expect((await both.until(1)).map(({ id }) => id)).toEqual([fourth]);
    await filtered.until(1);
    await write(userId);
    const last = await write(userId, { type: "instance.paused", subject: "inst_y" });
    await filtered.until(2);
    expect(idsOf(filtered)).toEqual([ids[1], last]);
  });

  it("EVT-12 catches up with thousands, in order and once", async () => {
    const start = await write(userId);
    await db().$executeRaw`
      INSERT INTO event (user_id, subject_id, type) SELECT ${userId}, 'inst_x', 'instance.running' FROM generate_series(1, 3456)`;
    const client = await openEvents(server, key, { lastEventId: start });
    await client.until(3456);
    const last = await write(userId);
    await client.until(3457);
    const all = await db().$queryRaw<{ id: string }[]>`
      SELECT id::text FROM event WHERE user_id = ${userId} AND id > ${BigInt(start)} ORDER BY event.id`;
    expect(idsOf(client)).toEqual(all.map(({ id }) => id));
    expect(idsOf(client).at(-1)).toBe(last);
  });

  it("EVT-13 sends an event whose hint was lost", async () => {
    const client = await openEvents(server, key);
    await db().$executeRaw`ALTER TABLE event DISABLE TRIGGER event_hint`;
    const id = await write(userId);
    await db().$executeRaw`ALTER TABLE event ENABLE TRIGGER event_hint`;
    await client.until(1);
    expect(idsOf(client)).toEqual([id]);
  });

  it("EVT-14 outlives the connections to the database", async () => {
    const client = await openEvents(server, key);
    const admin = await connect();
    for (let round = 1; round <= 3; round++) {
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      await write(userId, {}, admin);
      await client.until(round);
    }
    expect(new Set(idsOf(client)).size).toBe(3);
    expect(client.events).toHaveLength(3);
  });

  it("EVT-15 lets an account follow 20 times on a node, and no stream that has ended counts", async () => {
    const path = { headers: { accept: "text/event-stream" }, key };
    const clients = await Promise.all(Array.from({ length: 20 }, () => openEvents(server, key)));
    expect(clients.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const refused = await send("GET", "/v0/events", path);
    expect([refused.status, (await refused.json()).code]).toEqual([429, "too_many_requests"]);
    expect((await openEvents(server, (await makeAccount()).key)).status).toBe(200);
    expect((await list(key)).total).toBe(0);
    clients[0]?.cut();
    await waitUntil("a place", async () => (await send("HEAD", "/v0/events", path)).status === 200);
    for (let n = 0; n < 30; n++) {
      const head = await send("HEAD", "/v0/events", path);
      expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
        200,
        "text/event-stream; charset=utf-8",
        "",
      ]);
    }
    expect((await openEvents(server, key)).status).toBe(200);
    expect((await send("HEAD", "/v0/events", path)).status).toBe(429);
  });

  it("EVT-16 holds one listening connection a process, for as long as somebody follows", async () => {
    const count = async () => {
      const [row] = await db().$queryRaw<{ count: bigint }[]>`
        SELECT count(*) FROM pg_stat_activity WHERE application_name = 'berth event hints' AND datname = current_database()`;
      return Number(row?.count);
    };
    const clients = [await openEvents(server, key), await openEvents(server, (await makeAccount()).key)];
    await waitUntil("one connection", async () => (await count()) === 1);
    clients[0]?.cut();
    const id = await write(userId);
    expect((await list(key)).ids).toEqual([id]);
    expect(await count()).toBe(1);
    clients[1]?.cut();
    await waitUntil("none", async () => (await count()) === 0);
  });
});

/** A server whose streams pass their time otherwise. */
async function startPaced(pace: Partial<Pace>): Promise<string> {
  const usual = { heartbeatMs: NEVER, pollMs: NEVER, soonMs: [], longestMs: NEVER };
  const GET = route(operations.listEvents, async () => ({ data: [], total_items: 0 }), {
    "text/event-stream": ({ ctx, request }) => {
      const watch = watchCaller(request, operations.listEvents);
      return followEvents(ctx, { filters: {}, ...watch }, { ...usual, ...pace });
    },
  });
  const { url } = await startTestServer({
    dispatch: (request, peer) => {
      rememberPeer(request, peer);
      return GET.answer(request, {});
    },
  });
  return url;
}

describe("hints", () => {
  it("EVT-17 bring an event at once, and a second look the one that another transaction held back", async () => {
    const hinted = await openEvents(await startPaced({}), key);
    const looking = await openEvents(await startPaced({ soonMs: Array(40).fill(25) }), key);
    await waitForListener();
    const first = await write(userId);
    for (const client of [hinted, looking]) expect((await client.until(1))[0]?.id).toBe(first);
    const holder = await connect();
    await holder.query("BEGIN; SELECT pg_current_xact_id()");
    const second = await write(userId);
    await holder.query("ROLLBACK");
    await looking.until(2);
    expect(idsOf(looking)).toEqual([first, second]);
  });

  it("EVT-18 that were sent while nobody listened are made up for when the connection is back", async () => {
    const client = await openEvents(await startPaced({}), key);
    await waitForListener();
    const admin = await connect();
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${LISTENER}`);
    await admin.query("ALTER TABLE event DISABLE TRIGGER event_hint");
    const id = await write(userId, {}, admin);
    await admin.query("ALTER TABLE event ENABLE TRIGGER event_hint");
    await client.until(1);
    expect(idsOf(client)).toEqual([id]);
  });
});

const LISTENER = "application_name = 'berth event hints' AND datname = current_database()";

/** Until it listens: the last that such a connection said is LISTEN. */
async function waitForListener(): Promise<void> {
  await waitUntil("the listener", async () => {
    const rows = await db().$queryRawUnsafe<unknown[]>(
      `SELECT 1 FROM pg_stat_activity WHERE ${LISTENER} AND state = 'idle' AND query LIKE 'LISTEN%'`,
    );
    return rows.length > 0;
  });
}

describe("the end", () => {
  const revocations: [string, () => Promise<unknown>][] = [
    ["revoked", () => db().apiKey.updateMany({ where: { userId }, data: { revokedAt: new Date() } })],
    ["expired", () => db().apiKey.updateMany({ where: { userId }, data: { expiresAt: new Date(0) } })],
    [
      "without its scope",
      () => db().apiKey.updateMany({ where: { userId }, data: { scopes: ["keys:read"] } }),
    ],
    ["suspended", () => db().user.update({ where: { id: userId }, data: { suspendedAt: new Date() } })],
  ];

  it.each(revocations)("EVT-19 comes at the heartbeat to a caller that is %s", async (_, revoke) => {
    const client = await openEvents(await startPaced({ heartbeatMs: 20 }), key);
    await waitUntil("heartbeats", async () => client.others.length > 3);
    expect(new Set(client.others.slice(1))).toEqual(new Set([":"]));
    const id = await write(userId);
    await client.until(1);
    await revoke();
    expect(await client.ended).toBe(true);
    expect(idsOf(client)).toEqual([id]);
  });

  it("EVT-19 comes at the heartbeat to a browser that has signed out", async () => {
    const headers = { cookie: await signIn(), "sec-fetch-site": "same-origin" };
    const client = await openEvents(await startPaced({ heartbeatMs: 20 }), "", { headers });
    await waitUntil("heartbeats", async () => client.others.length > 3);
    await db().session.deleteMany();
    expect([client.status, await client.ended]).toEqual([200, true]);
  });

  it("EVT-20 comes after the longest time, whole", async () => {
    const client = await openEvents(await startPaced({ longestMs: 100 }), key);
    expect(await client.ended).toBe(true);
    expect(client.others).toEqual(["retry: 1000"]);
  });

  it("EVT-21 comes at once when the node stops, also to a client that does not read", async () => {
    const node = await startNode();
    const start = await write(userId);
    await writeMany(60_000);
    const clients = [await openEvents(node.url, key), await openEvents(node.url, key)];
    const stuck = await openRaw(node.port);
    stuck.socket.pause();
    stuck.write(requestOf(start));
    await waitForStall(node.lastSocket);
    await node.drain();
    expect(await Promise.all(clients.map(({ ended }) => ended))).toEqual([true, true]);
    stuck.socket.destroy();
  });
});

describe("a slow client", () => {
  it("EVT-22 is read for only as it takes what it is sent, and misses nothing", async () => {
    const node = await startNode();
    const start = await write(userId);
    const last = await writeMany(60_000);
    const client = await openRaw(node.port);
    client.socket.pause();
    client.write(requestOf(start));
    const stalled = await waitForStall(node.lastSocket);
    expect(stalled.writableLength).toBeLessThan(200_000);
    const sent = stalled.bytesWritten;
    await writeMany(1_000);
    await waitForStall(node.lastSocket);
    expect(stalled.bytesWritten).toBe(sent);
    client.socket.resume();
    const text = await client.until(`id: ${last}\n`);
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? 0))).toBe(true);
    expect(ids.filter((id) => id <= Number(last))).toHaveLength(60_000);
    client.socket.destroy();
    await node.drain();
  });
});

/** A server that shows its own end of the latest connection, and whose stop waits for ever for what still runs. */
async function startNode() {
  let latest: Socket | undefined;
  const {
    server: node,
    listen,
    drain,
  } = createBerthServer({
    dispatch,
    checkReady: async () => ({ ready: true }),
    log: makeLog("silent"),
    metrics: makeMetrics(),
    limits: { drainTimeoutMs: NEVER },
  });
  node.on("connection", (socket: Socket) => {
    latest = socket;
  });
  const { port } = await listen({ host: "127.0.0.1", port: 0 });
  return { port, url: `http://127.0.0.1:${port}`, drain, lastSocket: () => latest };
}

/** Writes events in one statement, and gives the last one's id. */
async function writeMany(count: number): Promise<string> {
  const [row] = await db().$queryRaw<{ last: string }[]>`
    WITH written AS (
      INSERT INTO event (user_id, subject_id, type, data)
      SELECT ${userId}, 'inst_x', 'instance.running', jsonb_build_object('reason', repeat('x', 200)) FROM generate_series(1, ${count}::int)
      RETURNING id
    ) SELECT max(id)::text AS last FROM written`;
  return row?.last ?? "";
}

function requestOf(lastEventId: string): string {
  const lines = ["GET /v0/events HTTP/1.1", "Host: a", "Accept: text/event-stream", `X-Api-Key: ${key}`];
  return `${[...lines, `Last-Event-ID: ${lastEventId}`].join("\r\n")}\r\n\r\n`;
}

/** The server's end of the connection, once nothing moves on it any more. */
async function waitForStall(look: () => Socket | undefined): Promise<Socket> {
  let seen = -1;
  let still = 0;
  return waitUntil("a stall", async () => {
    const socket = look();
    if (!socket?.writableNeedDrain) return undefined;
    still = socket.bytesWritten === seen ? still + 1 : 0;
    seen = socket.bytesWritten;
    return still > 50 ? socket : undefined;
  });
}
