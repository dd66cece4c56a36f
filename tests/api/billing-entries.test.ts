import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { creditAccount } from "@/lib/billing/credit-account";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { callApi, makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { makeLedgerHistory, moments, movementKinds } from "../support/ledger-history";
import { sendTo } from "../support/send";
import { makeGpu, makeHost } from "../support/world";

useTestDatabase();
beforeAll(makeGpu);

const usd = (micro: bigint) => Number(micro) / 1e6;

type Query = Record<string, string | number>;

async function entriesOf(key: string, query: Query = {}) {
  return (await callApi(operations.listBillingEntries, { key, query })).body;
}

async function csvOf(key: string, query: Record<string, string> = {}): Promise<Record<string, string>[]> {
  const answer = await sendTo(
    operations.listBillingEntries,
    { query },
    { key, headers: { accept: "text/csv" } },
  );
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  return parse(await answer.text(), { columns: true });
}

const endOf = (to: string) => new Date(to.length === 10 ? Date.parse(to) + 86_400_000 : Date.parse(to));

describe("GET /v0/billing/entries", () => {
  it("BILL-06 pages over all filters as a naive model does, and counts exactly", async () => {
    const model = await makeLedgerHistory();
    const sometimes = <T>(...values: T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
    const rarely = <T>(...values: T[]) =>
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(...values) },
      );
    const wishes = fc.record({
      account: sometimes("balance", "escrow", "earnings"),
      kind: rarely(...movementKinds),
      instance_id: rarely(...model.instances, newId("inst")),
      host_id: rarely(...model.hosts),
      from: rarely(...moments),
      to: rarely(...moments),
      start: fc.nat({ max: 30 }),
      limit: fc.integer({ min: 1, max: 40 }),
    });
    let found = 0;
    for (const wish of fc.sample(wishes, { seed: 7, numRuns: 150 })) {
      if (wish.from && wish.to && wish.from > wish.to) [wish.from, wish.to] = [wish.to, wish.from];
      const query = Object.fromEntries(
        Object.entries(wish).filter(([, value]) => value !== undefined),
      ) as Query;
      const expected = model.entries.filter(
        (entry) =>
          (["account", "kind", "instance_id", "host_id"] as const).every(
            (name) => wish[name] === undefined || wish[name] === entry[name],
          ) &&
          (wish.from === undefined || entry.at >= new Date(wish.from)) &&
          (wish.to === undefined || entry.at < endOf(wish.to)),
      );
      const { data, total_items } = await entriesOf(model.key, query);
      const page = expected.slice(wish.start, wish.start + wish.limit);
      expect(
        data.map(({ id, amount }) => [id, amount]),
        JSON.stringify(query),
      ).toEqual(page.map(({ id, micro }) => [id, usd(micro)]));
      expect(total_items).toBe(expected.length);
      found += data.length;
    }
    expect(found).toBeGreaterThan(300);
  });

  it.each([
    ["from", "yesterday"],
    ["from", "2026-02-30"],
    ["from", "2026-03-01T00:00:00"],
    ["to", "2026-13-01"],
    ["to", "2026-03-01T25:00:00Z"],
    ["to", "1772323200"],
    ["kind", "fee"],
    ["account", "fee"],
    ["currency", "EUR"],
    ["limit", "0"],
    ["start", "-1"],
  ])("BILL-07 refuses %s=%s at that parameter, as JSON and to a client of CSV", async (name, value) => {
    const { key } = await makeAccount();
    for (const accept of ["application/json", "text/csv"]) {
      const answer = await sendTo(
        operations.listBillingEntries,
        { query: { [name]: value } },
        { key, headers: { accept } },
      );
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        422,
        "application/json; charset=utf-8",
      ]);
      expect((await answer.json()).detail).toMatchObject([{ loc: ["query", name] }]);
    }
  });

  it("BILL-07 refuses a span that ends before it begins, in every list, and takes days far away", async () => {
    const { key, userId } = await makeAccount();
    const { hostId } = await makeHost(userId);
    const lists = [
      operations.listBillingEntries,
      operations.listBillingUsage,
      operations.listHostEarnings,
    ] as const;
    for (const operation of lists) {
      const ask = (from: string, to: string) =>
        sendTo(operation, { params: { host_id: hostId }, query: { from, to } }, { key });
      const refused = await ask("2026-03-02", "2026-03-01");
      expect((await refused.json()).detail).toMatchObject([{ loc: ["query", "to"], type: "range" }]);
      for (const [from, to] of [
        ["0000-01-01", "9999-12-31"],
        ["9999-12-31", "9999-12-31"],
        ["0001-01-01", "0001-01-01"],
      ] as const) {
        expect((await ask(from, to)).status, `${operation.id} ${from}`).toBe(200);
      }
    }
    for (const operation of [operations.listBillingUsage, operations.listHostEarnings]) {
      const input = { params: { host_id: hostId }, query: { from: "2026-03-01T00:00:00Z" } };
      expect((await (await sendTo(operation, input, { key })).json()).detail).toMatchObject([
        { loc: ["query", "from"] },
      ]);
    }
  });

  it("BILL-08 as CSV: the same rows and filters, all of them without a limit, and scope as ever", async () => {
    const { key, entries } = await makeLedgerHistory();
    const queries: Record<string, string>[] = [
      {},
      { kind: "accrual", currency: "RUB" },
      { account: "earnings" },
      { start: "5", limit: "7" },
    ];
    for (const query of queries) {
      const json = await entriesOf(key, query);
      const asText = json.data.map((entry) =>
        Object.fromEntries(
          Object.entries(entry).map(([name, value]) => [name, value === null ? "" : String(value)]),
        ),
      );
      expect(await csvOf(key, query)).toEqual(asText);
    }
    expect(await csvOf(key)).toHaveLength(entries.length);
    const lacking = await makeAccount({ scopes: ["market:read"] });
    const refused = await sendTo(
      operations.listBillingEntries,
      {},
      { key: lacking.key, headers: { accept: "text/csv" } },
    );
    expect([refused.status, (await refused.json()).code]).toEqual([403, "scope_missing"]);
  });

  it("BILL-09 as CSV: thousands of rows come in portions, none twice or lost while others come in", async () => {
    const { userId, key } = await makeAccount({ balanceUsd: 0 });
    await insertCredits(userId, "many", 5500);
    const answer = await sendTo(operations.listBillingEntries, {}, { key, headers: { accept: "text/csv" } });
    const reader = answer.body?.getReader();
    const chunks = [(await reader?.read())?.value];
    await insertCredits(userId, "late", 10);
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      chunks.push(part.value);
    expect(chunks.length).toBeGreaterThan(2);
    const rows: Record<string, string>[] = parse(
      Buffer.concat(chunks.map((chunk) => chunk ?? Buffer.alloc(0))),
      {
        columns: true,
      },
    );
    expect(rows.map(({ reference }) => reference)).toEqual(
      Array.from({ length: 5500 }, (_, i) => `many ${5500 - i}`),
    );
    expect(await csvOf(key, { start: "5508", limit: "5" })).toMatchObject([
      { reference: "many 2" },
      { reference: "many 1" },
    ]);
    expect(await csvOf(key, { kind: "payout" })).toEqual([]);
  });

  it("BILL-10 as CSV: text that a spreadsheet would run is text, and numbers stay numbers", async () => {
    const { userId, key } = await makeAccount();
    const formulas = ['=cmd|" /C calc"!A0', "+1", "-1+1", "@SUM(A1)", '=HYPERLINK("http://x.example","a,b")'];
    for (const reference of formulas) await creditAccount({ userId, amountMicro: 2_000_001n, reference });
    await creditAccount({ userId, amountMicro: -1n, reference: "harmless = -1" });
    const answer = await sendTo(operations.listBillingEntries, {}, { key, headers: { accept: "text/csv" } });
    const text = await answer.text();
    expect(text.split("\n")[0]).toBe(
      "id,at,day,kind,account,amount,amount_usd,currency,rate,instance_id,host_id,reference",
    );
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(rows.map(({ amount, reference }) => [amount, reference]).slice(0, 6)).toEqual([
      ["-0.000001", "harmless = -1"],
      ...formulas.reverse().map((formula) => ["2.000001", `'${formula}`]),
    ]);
  });
});

async function insertCredits(userId: string, name: string, count: number): Promise<void> {
  await db().$executeRaw`
    INSERT INTO ledger_movement (cause, kind, user_id, renter_micro, credit_micro, reference)
    SELECT ${userId} || ${name}::text || n, 'credit', ${userId}, n, -n, ${name}::text || ' ' || n FROM generate_series(1, ${count}::int) n`;
}
