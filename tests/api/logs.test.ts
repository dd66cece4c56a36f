import { beforeEach, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract/operations";
import { db, inTransaction } from "@/lib/db/client";
import { forgetOldTelemetry } from "@/lib/telemetry/forget-old-telemetry";
import { appendLogs, type NewLine } from "@/lib/telemetry/record-telemetry";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { appendUnderLock, makeLine, nextNs, numbered } from "../support/logs";
import { makeInstance } from "../support/make-instance";

useTestDatabase();

let userId: string;
let key: string;
let instanceId: string;
beforeEach(async () => {
  ({ userId, key } = await makeAccount());
  instanceId = await makeInstance(userId, { status: "running", initializedAt: new Date() });
});

const line = (text: string, atNs = nextNs(), of = instanceId) => makeLine(of, text, atNs);
const append = (...lines: NewLine[]) =>
  appendUnderLock([...new Set(lines.map((each) => each.instanceId))], () => lines);
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
