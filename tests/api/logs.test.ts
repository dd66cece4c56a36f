import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { dispatch } from "@/lib/http/router";
import { destroyInstance } from "@/lib/instances/destroy-instance";
import { forgetOldTelemetry } from "@/lib/telemetry/forget-old-telemetry";
import { appendLogs, type NewLine } from "@/lib/telemetry/record-telemetry";
import { startTestServer, stopTestServers } from "../server/start-test-server";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { connect } from "../support/events";
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

let lastNs = 0n;
/** A time later than each before. */
function nextNs(): bigint {
  const now = BigInt(Date.now()) * 1_000_000n;
  lastNs = now > lastNs ? now : lastNs + 1n;
  return lastNs;
}

function line(text: string, atNs = nextNs(), of = instanceId): NewLine {
  return { instanceId: of, atNs, stream: "stdout", text };
}

/** As a report of an agent does it, under the locks of the instances. */
function append(...lines: NewLine[]) {
  const ids = [...new Set(lines.map((each) => each.instanceId))].sort();
  return inTransaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM instance WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`;
    return appendLogs(tx, ids, lines);
  });
}

const write = (...texts: string[]) => append(...texts.map((text) => line(text)));

async function list(query: Record<string, string | number> = {}) {
  const { status, body } = await callApi(operations.listInstanceLogs, {
    key,
    params: { instance_id: instanceId },
    query,
  });
  expect(status).toBe(200);
  return { lines: body.data, texts: body.data.map(({ text }) => text), total: body.total_items };
}

const follow = (options: StreamOptions = {}) =>
  openStream<LineData>(`${server}/v0/instances/${instanceId}/logs`, key, options);
const textsOf = ({ events }: { events: { data: LineData }[] }) => events.map(({ data }) => data.text);
const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `line ${from + n}`);
const tailOf = async (id = instanceId) => (await db().instance.findUniqueOrThrow({ where: { id } })).logs;

describe("what an agent reports", () => {
  it("LOG-01 is kept once, in the order of its times, however often it is sent", async () => {
    const lines = numbered(5).map((text) => line(text));
    const first = await append(...lines.slice(0, 3));
    expect(first.get(instanceId)).toBe(String(lines[2]?.atNs));
    await append(...lines.slice(0, 3));
    const last = await append(...[...lines].reverse());
    expect(last.get(instanceId)).toBe(String(lines[4]?.atNs));
    expect((await list()).texts).toEqual(numbered(5));
    expect(await tailOf()).toBe(`${numbered(5).join("\n")}\n`);
  });

  it("LOG-02 goes to each of many instances, and says of each the newest line that is kept", async () => {
    const others = await Promise.all(Array.from({ length: 63 }, () => makeInstance(userId)));
    const lines = others.flatMap((id) => [line(`a ${id}`, nextNs(), id), line(`b ${id}`, nextNs(), id)]);
    const until = await append(...lines);
    expect(until.size).toBe(63);
    for (const id of others) {
      expect(await tailOf(id)).toBe(`a ${id}\nb ${id}\n`);
      expect(until.get(id)).toBe(String(lines.findLast((each) => each.instanceId === id)?.atNs));
    }
    const silent = await inTransaction((tx) => appendLogs(tx, [instanceId, ...others], []));
    expect([silent.size, silent.has(instanceId)]).toEqual([63, false]);
  });

  it.each([
    ["ASCII", "x"],
    ["characters of several bytes", "ключ 🔑"],
  ])("LOG-03 shows on the instance the last lines that fit 16 KiB, whole: %s", async (_, word) => {
    const texts = numbered(1000).map((text) => `${text} ${word.repeat(40)}`);
    for (let n = 0; n < 1000; n += 250) await write(...texts.slice(n, n + 250));
    const tail = (await tailOf()) ?? "";
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(16_384);
    const shown = tail.split("\n").slice(0, -1);
    expect(shown).toEqual(texts.slice(-shown.length));
    expect(Buffer.byteLength(tail) + Buffer.byteLength(texts.at(-1 - shown.length) ?? "")).toBeGreaterThan(
      16_000,
    );
  });

  it("LOG-04 passes over a time that no clock has, and keeps what comes after it", async () => {
    await append(line("never", 9_999_999_999_999_999_999n), line("kept"));
    expect((await list()).texts).toEqual(["kept"]);
  });
});

describe("the list of lines", () => {
  it("LOG-05 gives the newest without a cursor and what came behind one with it, ascending, and counts all", async () => {
    await write(...numbered(250));
    expect(await list()).toMatchObject({ texts: numbered(100, 151), total: 250 });
    expect(await list({ tail: 3 })).toMatchObject({ texts: numbered(3, 248), total: 250 });
    expect(await list({ tail: 0 })).toMatchObject({ texts: [], total: 250 });
    const paged: string[] = [];
    for (let after = "0"; ; ) {
      const { lines, texts } = await list({ after, limit: 99 });
      paged.push(...texts);
      if (lines.length === 0) break;
      after = lines.at(-1)?.id ?? "";
    }
    expect(paged).toEqual(numbered(250));
  });

  it("LOG-06 writes times to the nanosecond, and says what wrote a line", async () => {
    await append(
      { ...line("out", 1_772_443_290_481_205_117n) },
      { ...line("err", 1_772_443_290_481_205_118n), stream: "stderr" },
      { ...line("pulled", 1_772_443_291_000_000_000n), stream: "system" },
    );
    expect((await list()).lines.map(({ at, stream, text }) => [at, stream, text])).toEqual([
      ["2026-03-02T09:21:30.481205117Z", "stdout", "out"],
      ["2026-03-02T09:21:30.481205118Z", "stderr", "err"],
      ["2026-03-02T09:21:31.000000000Z", "system", "pulled"],
    ]);
  });

  it("LOG-07 begins with what `since` names as docker's users write it, to the nanosecond", async () => {
    await append(
      line("old", 1_772_443_290_481_205_117n),
      line("mid", 1_772_443_290_481_205_118n),
      line("new"),
    );
    const cases: [string, string[]][] = [
      ["10m", ["new"]],
      ["1h30m", ["new"]],
      ["1.5h", ["new"]],
      ["90000d", ["old", "mid", "new"]],
      ["2026-03-02T09:21:30.481205118Z", ["mid", "new"]],
      ["2026-03-02T11:21:30.481205118+02:00", ["mid", "new"]],
      ["1772443290.481205118", ["mid", "new"]],
      ["1772443291", ["new"]],
      ["2026-03-02", ["old", "mid", "new"]],
      ["2026-03-03", ["new"]],
      ["0", ["old", "mid", "new"]],
      ["2200-01-01", []],
    ];
    for (const [since, texts] of cases) {
      expect(await list({ since }), since).toMatchObject({ texts, total: texts.length });
    }
    expect(await list({ since: "2026-03-02T09:21:30.481205118Z", after: 0, limit: 1 })).toMatchObject({
      texts: ["mid"],
      total: 2,
    });
  });

  it.each([
    ["since", "yesterday"],
    ["since", "10 m"],
    ["since", "2026-02-30"],
    ["since", "2026-03-02T09:21:30"],
    ["since", "-5m"],
    ["since", "1e9"],
    ["tail", "1001"],
    ["tail", "-1"],
    ["limit", "0"],
    ["after", "x"],
    ["after", "-1"],
    ["after", "9".repeat(19)],
    ["after", "9".repeat(40)],
  ])("LOG-08 refuses %s=%j where it stands", async (name, value) => {
    const { status, error } = await callApi(operations.listInstanceLogs, {
      key,
      params: { instance_id: instanceId },
      query: { [name ?? ""]: value ?? "" },
    });
    expect([status, error.detail]).toMatchObject([422, [{ loc: ["query", name] }]]);
  });
});

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
    expect(client.events.map(({ data }) => data)).toEqual((await list({ tail: 102 })).lines);
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
        // Under the lock, as the agent's own clock would have it.
        await inTransaction(async (tx) => {
          await tx.$queryRaw`SELECT id FROM instance WHERE id = ANY(${own}) ORDER BY id FOR NO KEY UPDATE`;
          await appendLogs(
            tx,
            own,
            own.flatMap((id) => [line(`${seed}.${n}`, nextNs(), id)]),
          );
        });
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

describe("what is kept", () => {
  it("LOG-17 the newest 10,000 lines of an instance, for 7 days, and of a destroyed one for 24 hours", async () => {
    const [quiet, gone, recent] = [
      await makeInstance(userId),
      await makeInstance(userId, {
        status: "destroyed",
        destroyedAt: new Date(Date.now() - 25 * 3_600_000),
        holdsLease: false,
      }),
      await makeInstance(userId, {
        status: "destroyed",
        destroyedAt: new Date(Date.now() - 23 * 3_600_000),
        holdsLease: false,
      }),
    ];
    const fill = (id: string, count: number, age: string) => db().$executeRaw`
      INSERT INTO instance_log (instance_id, at_ns, stream, text, created_at)
      SELECT ${id}, n, 'stdout', n::text, now() - ${age}::interval FROM generate_series(1, ${count}::int) n`;
    await fill(instanceId, 12_345, "1 hour");
    await fill(quiet, 7_000, "8 days");
    await fill(gone, 6_000, "1 hour");
    await fill(recent, 3, "1 hour");
    await db().$executeRaw`
      INSERT INTO instance_metric SELECT ${instanceId}, now() - make_interval(hours => n::int), 1, 1, 1, 1, 1, 1 FROM generate_series(1, 200) n`;
    await Promise.all([forgetOldTelemetry(), forgetOldTelemetry()]);
    await forgetOldTelemetry();
    const kept = async (id: string) => {
      const [row] = await db().$queryRaw<{ count: bigint; first: bigint; last: bigint }[]>`
        SELECT count(*), min(at_ns) AS first, max(at_ns) AS last FROM instance_log WHERE instance_id = ${id}`;
      return [row?.count, row?.first, row?.last];
    };
    expect(await kept(instanceId)).toEqual([10_000n, 2_346n, 12_345n]);
    expect(await kept(quiet)).toEqual([1n, 7_000n, 7_000n]);
    expect(await kept(gone)).toEqual([0n, null, null]);
    expect(await kept(recent)).toEqual([3n, 1n, 3n]);
    expect(await db().instanceMetric.count({ where: { instanceId } })).toBe(167);
  });

  it("LOG-18 about 10,000 lines also of one that writes without end between two clean-ups", async () => {
    const texts = numbered(2_000);
    for (let n = 0; n < 15; n++) await write(...texts);
    expect((await list()).total).toBeLessThanOrEqual(12_000);
    expect((await list()).total).toBeGreaterThanOrEqual(10_000);
    expect((await list({ tail: 2 })).texts).toEqual(numbered(2, 1999));
  });
});
