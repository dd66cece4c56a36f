import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { dispatch } from "@/lib/http/router";
import { followBalances } from "@/lib/worker/follow-balances";
import { followTime } from "@/lib/worker/follow-time";
import { startTestServer, stopTestServers } from "../server/start-test-server";
import { callApi, makeAccount, setBalance } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { connect, list, listNow, openEvents, settle, write } from "../support/events";
import { makeInstance } from "../support/make-instance";
import { send } from "../support/send";
import { idsOf } from "../support/streams";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

let userId: string;
let key: string;
let server: string;
beforeEach(async () => {
  ({ userId, key } = await makeAccount());
  server = (await startTestServer({ dispatch })).url;
});
afterEach(stopTestServers);

describe("the list", () => {
  it("EVT-01 gives the newest without a cursor, and what came after one with it, ascending", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await write(userId));
    expect(await list(key)).toMatchObject({ ids, total: 5 });
    expect(await list(key, { limit: 2 })).toMatchObject({ ids: ids.slice(3), total: 5 });
    expect(await list(key, { after: ids[0] ?? "", limit: 2 })).toMatchObject({
      ids: ids.slice(1, 3),
      total: 4,
    });
    expect(await list(key, { after: ids[4] ?? "" })).toMatchObject({ ids: [], total: 0 });
    expect(await list((await makeAccount()).key)).toMatchObject({ ids: [], total: 0 });
  });

  it("EVT-02 filters by type and by instance, and counts what matches behind the cursor", async () => {
    const first = await write(userId, { subject: "inst_a" });
    const second = await write(userId, { subject: "inst_a", type: "instance.paused" });
    const third = await write(userId, { subject: "inst_b", type: "instance.paused" });
    expect(await list(key, { subject_id: "inst_a" })).toMatchObject({ ids: [first, second], total: 2 });
    expect(await list(key, { type: "instance.paused" })).toMatchObject({ ids: [second, third], total: 2 });
    expect(await list(key, { type: "instance.paused", after: second })).toMatchObject({
      ids: [third],
      total: 1,
    });
    expect(await list(key, { subject_id: "inst_none" })).toMatchObject({ ids: [], total: 0 });
    for (const [name, value] of [
      ["type", "instance.exploded"],
      ["limit", "0"],
      ["limit", "1001"],
    ] as const) {
      const { status, error } = await callApi(operations.listEvents, { key, query: { [name]: value } });
      expect([status, error.detail]).toMatchObject([422, [{ loc: ["query", name] }]]);
    }
  });

  it("EVT-03 tells amounts in USD, instants in UTC, and why", async () => {
    await db().balance.update({ where: { userId }, data: { burnMicro: 1_000_000n } });
    await setBalance(userId, 5_250_000n);
    await followBalances();
    const until = new Date(Date.now() + 3_600_000);
    const subject = await makeInstance(userId, {
      status: "running",
      initializedAt: new Date(),
      prepaidRateMicro: 5n,
      terms: 1,
      prepaidUntil: until,
    });
    await followTime();
    expect((await list(key)).events).toMatchObject([
      { type: "money.low", subject_id: userId, data: { balance: 5.25, burn_rate: 1, grace: 0 } },
      {
        type: "instance.term_ending",
        subject_id: subject,
        data: { prepaid_until: until.toISOString(), auto_renew: false },
      },
    ]);
  });

  it.each(["0", "1", "-1", "abc", "1e3", "9".repeat(18), "9".repeat(40), "18446744073709551616", "\u0000"])(
    "EVT-04 refuses the cursor %j, that names nothing, where it stands",
    async (cursor) => {
      const { status, error } = await callApi(operations.listEvents, { key, query: { after: cursor } });
      expect([status, error.detail]).toMatchObject([422, [{ loc: ["query", "after"] }]]);
      const headers = { accept: "text/event-stream" };
      const path = `/v0/events?after=${encodeURIComponent(cursor)}`;
      const streamed = await send("GET", path, { key, headers });
      expect([streamed.status, await streamed.json()]).toEqual([422, { detail: error.detail }]);
      if (cursor.includes("\u0000")) return;
      const resumed = await send("GET", "/v0/events", {
        key,
        headers: { ...headers, "last-event-id": cursor },
      });
      expect(resumed.status).toBe(422);
      expect(await resumed.json()).toMatchObject({ detail: [{ loc: ["header", "Last-Event-ID"] }] });
    },
  );

  it("EVT-05 shows nothing of another's, whose ids are refused as those of nothing", async () => {
    const other = await makeAccount();
    const theirs = await write(other.userId, { subject: "inst_theirs" });
    const mine = await write(userId);
    const client = await openEvents(server, key, { lastEventId: mine });
    await write(other.userId, { subject: "inst_theirs" });
    const next = await write(userId);
    await client.until(1);
    expect(idsOf(client)).toEqual([next]);
    expect(await list(key)).toMatchObject({ ids: [mine, next], total: 2 });
    expect(await list(key, { subject_id: "inst_theirs" })).toMatchObject({ ids: [], total: 0 });
    const ask = async (after: string) =>
      (await callApi(operations.listEvents, { key, query: { after } })).error.detail;
    expect(await ask(theirs)).toEqual(await ask("999999999"));
  });
});

describe("the order", () => {
  it("EVT-06 waits for a transaction that took its id earlier and commits later, and then loses nothing", async () => {
    const [slow, fast] = [await connect(), await connect()];
    const before = await write(userId);
    await settle();
    const [followed, filtered] = [
      await openEvents(server, key, { lastEventId: before }),
      await openEvents(server, key, { lastEventId: before, query: "?type=instance.running" }),
    ];
    await slow.query("BEGIN");
    const first = await write(userId, {}, slow);
    await fast.query("BEGIN");
    const second = await write(userId, {}, fast);
    await fast.query("COMMIT");
    expect((await listNow(key)).ids).toEqual([before]);
    await slow.query("COMMIT");
    for (const client of [followed, filtered]) {
      await client.until(2);
      expect(idsOf(client)).toEqual([first, second]);
    }
    expect((await list(key, { after: before })).ids).toEqual([first, second]);
  });

  it("EVT-07 keeps one order where ids and transactions were taken crosswise, also behind each cursor", async () => {
    const [one, two] = [await connect(), await connect()];
    await one.query("BEGIN; SELECT pg_current_xact_id()");
    await two.query("BEGIN; SELECT pg_current_xact_id()");
    const small = await write(userId, {}, two);
    const large = await write(userId, {}, one);
    await two.query("COMMIT");
    expect((await listNow(key)).ids).toEqual([]);
    await one.query("COMMIT");
    expect((await list(key)).ids).toEqual([large, small]);
    expect((await list(key, { after: large })).ids).toEqual([small]);
    expect((await list(key, { after: small })).ids).toEqual([]);
  });

  it("EVT-08 loses and repeats nothing while many write at once and clients come and go", async () => {
    const start = await write(userId);
    const written = Promise.all(Array.from({ length: 4 }, (_, n) => writeAtRandom(n)));
    let done = false;
    void written.then(() => {
      done = true;
    });
    const paged: string[] = [];
    const page = async () => {
      const { ids } = await listNow(key, { after: paged.at(-1) ?? start, limit: 7 });
      paged.push(...ids);
      return ids.length;
    };
    const whole = await openEvents(server, key, { lastEventId: start });
    const resumed: string[] = [];
    while (!done) {
      const client = await openEvents(server, key, { lastEventId: resumed.at(-1) ?? start });
      await page();
      await waitUntil("an event or the end", async () => client.events.length > 0 || done);
      client.cut();
      resumed.push(...idsOf(client));
    }
    const ids = new Set((await written).flat());
    await whole.until(ids.size);
    await settle();
    while ((await page()) > 0);
    const last = await openEvents(server, key, { lastEventId: resumed.at(-1) ?? start });
    await last.until(ids.size - resumed.length);
    resumed.push(...idsOf(last));
    expect(new Set(paged)).toEqual(ids);
    expect(paged).toHaveLength(ids.size);
    expect(resumed).toEqual(paged);
    expect(idsOf(whole)).toEqual(paged);
  });

  it("EVT-09 goes on from a cursor in a restored database, where transactions have other numbers", async () => {
    const ids = [await write(userId), await write(userId), await write(userId)];
    await db().$executeRaw`UPDATE event SET xact = pg_current_xact_id() WHERE user_id = ${userId}`;
    expect((await list(key, { after: ids[0] ?? "" })).ids).toEqual(ids.slice(1));
    const client = await openEvents(server, key, { lastEventId: ids[0] ?? "" });
    await client.until(2);
    expect(idsOf(client)).toEqual(ids.slice(1));
  });
});

/** 40 transactions of one to three events, each of which stays open for a moment. */
async function writeAtRandom(seed: number): Promise<string[]> {
  const client = await connect();
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) {
    await client.query("BEGIN");
    const own: string[] = [];
    for (let m = 0; m <= (n + seed) % 3; m++) {
      own.push(await write(userId, {}, client));
      await client.query("SELECT pg_sleep(random() * 0.01)");
    }
    const isKept = (n + seed) % 7 > 0;
    await client.query(isKept ? "COMMIT" : "ROLLBACK");
    if (isKept) ids.push(...own);
  }
  return ids;
}
