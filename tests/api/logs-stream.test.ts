import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { dispatch } from "@/lib/http/router";
import { destroyInstance } from "@/lib/instances/destroy-instance";
import { startTestServer, stopTestServers } from "../server/start-test-server";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { connect } from "../support/events";
import { appendUnderLock, makeLine, numbered } from "../support/logs";
import { makeInstance } from "../support/make-instance";
import { send } from "../support/send";
import { idsOf, openStream, type StreamOptions } from "../support/streams";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

interface LineData {
  id: string;
  at: string;
  stream: string;
  text: string;
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

const write = (...texts: string[]) =>
  appendUnderLock([instanceId], () => texts.map((text) => makeLine(instanceId, text)));

/** The newest lines, and how many there are. */
async function list(tail = 100) {
  const params = { instance_id: instanceId };
  const { body } = await callApi(operations.listInstanceLogs, { key, params, query: { tail } });
  return { lines: body.data, total: body.total_items };
}

const follow = (options: StreamOptions = {}) =>
  openStream<LineData>(`${server}/v0/instances/${instanceId}/logs`, key, options);
const textsOf = ({ events }: { events: { data: LineData }[] }) => events.map(({ data }) => data.text);

describe("following lines", () => {
  it("LOG-09 begins with the tail and goes on as lines are written, each with id, event and data", async () => {
    await write(...numbered(150));
    const client = await follow();
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    });
    await client.until(100);
    await write("more", "and more");
    await client.until(102);
    expect(textsOf(client)).toEqual([...numbered(100, 51), "more", "and more"]);
    expect(new Set(client.events.map(({ event }) => event))).toEqual(new Set(["log"]));
    expect(client.events.map(({ data }) => data)).toEqual((await list(102)).lines);
    expect(idsOf(client)).toEqual(client.events.map(({ data }) => data.id));
    const [none, few] = [await follow({ query: "?tail=0" }), await follow({ query: "?tail=1000&since=10m" })];
    await few.until(152);
    await write("last");
    expect((await none.until(1)).map(({ data }) => data.text)).toEqual(["last"]);
  });

  it("LOG-10 goes on behind Last-Event-ID, else behind after, and loses and repeats nothing", async () => {
    const written: string[] = [];
    const read: string[] = [];
    let cursor = "0";
    for (let round = 0; round < 6; round++) {
      const client = await follow(
        round === 0 ? { query: "?after=0" } : { lastEventId: cursor, query: "?after=0" },
      );
      const texts = numbered(120, written.length + 1);
      const done = Promise.all([write(...texts.slice(0, 60)).then(() => write(...texts.slice(60)))]);
      written.push(...texts);
      await client.until(1);
      client.cut();
      await done;
      read.push(...textsOf(client));
      cursor = idsOf(client).at(-1) ?? cursor;
    }
    const client = await follow({ lastEventId: cursor });
    await client.until(written.length - read.length);
    expect([...read, ...textsOf(client)]).toEqual(written);
  });

  it.each(["x", "-1", "1e3", "9".repeat(18), "9".repeat(19), "9".repeat(40)])(
    "LOG-11 refuses the cursor %j, which is no line's, in JSON",
    async (cursor) => {
      await write("a");
      const path = `/v0/instances/${instanceId}/logs`;
      const headers = { accept: "text/event-stream", "last-event-id": cursor };
      const answer = await send("GET", path, { key, headers });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ detail: [{ loc: ["header", "Last-Event-ID"] }] });
    },
  );

  it("LOG-28 says at once where it stands, so that one who received nothing yet misses nothing", async () => {
    await write(...numbered(5));
    const client = await follow({ query: "?tail=0" });
    await waitUntil("its place", async () => client.others.length === 2);
    const id = /^id: (\d+)$/.exec(client.others[1] ?? "")?.[1] ?? "";
    expect(id).toBe((await list()).lines.at(-1)?.id);
    client.cut();
    await write("meanwhile");
    const again = await follow({ query: "?tail=0", lastEventId: id });
    await again.until(1);
    expect(textsOf(again)).toEqual(["meanwhile"]);
  });

  it("LOG-12 ends with `end` when the instance is destroyed, which then is a 404", async () => {
    await write("a");
    const client = await follow();
    await client.until(1);
    await destroyInstance({ userId, requestId: "req_x" }, instanceId);
    expect(await client.ended).toBe(true);
    expect(client.others.at(-1)).toBe('event: end\ndata: {"reason":"destroyed"}');
    const path = `/v0/instances/${instanceId}/logs`;
    for (const accept of ["text/event-stream", "application/json"]) {
      const answer = await send("GET", path, { key, headers: { accept } });
      expect([answer.status, (await answer.json()).code]).toEqual([404, "not_found"]);
    }
  });

  it("LOG-13 is closed to another account, whose answer is that of a missing instance", async () => {
    await write("secret");
    const other = await makeAccount();
    const ask = async (id: string, accept: string) => {
      const headers = { accept, "x-request-id": "same" };
      const answer = await send("GET", `/v0/instances/${id}/logs`, { key: other.key, headers });
      return { status: answer.status, text: await answer.text() };
    };
    for (const accept of ["text/event-stream", "application/json"]) {
      const foreign = await ask(instanceId, accept);
      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(await ask("inst_missing", accept));
    }
    const mine = await makeInstance(other.userId);
    const [first] = (await list()).lines;
    const cursor = await send("GET", `/v0/instances/${mine}/logs?after=${first?.id}`, { key: other.key });
    expect(cursor.status).toBe(422);
  });

  it("LOG-14 outlives the connections to the database, and sends a line whose hint was lost", async () => {
    const client = await follow();
    const admin = await connect();
    for (let round = 1; round <= 2; round++) {
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      await waitUntil("the database", () => write(`round ${round}`).catch(() => undefined));
      await client.until(round);
    }
    await admin.query("ALTER TABLE instance_log DISABLE TRIGGER instance_log_hint");
    await write("unhinted");
    await admin.query("ALTER TABLE instance_log ENABLE TRIGGER instance_log_hint");
    await client.until(3);
    expect(textsOf(client)).toEqual(["round 1", "round 2", "unhinted"]);
  });

  it("LOG-15 lets an account follow 20 times on a node over all its instances, and no stream that has ended counts", async () => {
    const second = await makeInstance(userId);
    const open = (id: string) => openStream<LineData>(`${server}/v0/instances/${id}/logs`, key);
    const clients = await Promise.all(
      Array.from({ length: 20 }, (_, n) => open(n % 2 ? instanceId : second)),
    );
    expect(clients.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await follow()).status).toBe(429);
    expect((await list()).total).toBe(0);
    clients[0]?.cut();
    await waitUntil("a place", async () => {
      const client = await follow();
      client.cut();
      return client.status === 200;
    });
  });

  it("LOG-16 loses and repeats nothing while reports of many instances cross", async () => {
    const ids = [
      instanceId,
      ...(await Promise.all(Array.from({ length: 5 }, () => makeInstance(userId)))),
    ].sort();
    const clients = await Promise.all(
      ids.map((id) => openStream<LineData>(`${server}/v0/instances/${id}/logs?after=0`, key)),
    );
    const report = async (seed: number) => {
      for (let n = 0; n < 25; n++) {
        const own = ids.filter((_, i) => (i + n + seed) % 3 > 0);
        await appendUnderLock(own, () => own.map((id) => makeLine(id, `${seed}.${n}`)));
      }
    };
    await Promise.all([report(0), report(1), report(2), report(3)]);
    for (const [n, id] of ids.entries()) {
      const rows = await db().instanceLog.findMany({ where: { instanceId: id }, orderBy: { id: "asc" } });
      expect(rows.length).toBeGreaterThan(50);
      await clients[n]?.until(rows.length);
      expect(clients[n] && idsOf(clients[n])).toEqual(rows.map((row) => String(row.id)));
    }
  });
});
