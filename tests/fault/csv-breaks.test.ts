import { Client } from "pg";
import { describe, expect, inject, it } from "vitest";
import { db } from "@/lib/db/client";
import { makeAccount } from "../support/api";
import { useTestDatabase } from "../support/api-setup";
import { startServer } from "../support/server";
import { waitUntil } from "../support/wait-until";

useTestDatabase();

const ROWS = 200_000;

/** Runs work while nobody can connect to the test's database and all who were are cut off. */
async function withoutDatabase(url: string, work: () => Promise<void>): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const admin = new Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  try {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
    await work();
  } finally {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await admin.end();
  }
}

describe("CSV over HTTP", () => {
  it("BILL-14 as CSV over HTTP: a file that the database could not finish breaks off, and is no whole one", async () => {
    const { userId, key } = await makeAccount({ balanceUsd: 0 });
    await db().$executeRaw`
      INSERT INTO ledger_movement (cause, kind, user_id, renter_micro, credit_micro)
      SELECT ${userId} || n, 'credit', ${userId}, n, -n FROM generate_series(1, ${ROWS}::int) n`;
    const databaseUrl = process.env.DATABASE_URL ?? "";
    const server = await startServer({ DATABASE_URL: databaseUrl });
    const ask = (query = "") =>
      fetch(`${server.url}/v0/billing/entries${query}`, {
        headers: { "x-api-key": key, accept: "text/csv" },
      });
    const whole = await (await ask()).text();
    expect(whole.split("\n")).toHaveLength(ROWS + 2);
    const answer = await ask();
    expect([answer.status, answer.headers.get("transfer-encoding")]).toEqual([200, "chunked"]);
    const reader = answer.body?.getReader();
    await reader?.read();
    await withoutDatabase(databaseUrl, async () => {
      const readOn = async () => {
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
      };
      await expect(readOn()).rejects.toThrow(/terminated|socket/);
    });
    await waitUntil("the server is back", async () => (await ask("?limit=1")).status === 200);
  });
});
