import { Client } from "pg";
import { expect, onTestFinished } from "vitest";
import { operations } from "@/lib/contract/operations";
import type { EventType } from "@/lib/contract/words";
import { db } from "@/lib/db/client";
import { callApi } from "./api";
import { openStream, type StreamOptions } from "./streams";
import { waitUntil } from "./wait-until";

/** What an event of /v0/events carries. */
interface EventData {
  id: string;
  type: string;
  subject_id: string;
  data: Record<string, unknown>;
  at: string;
}

/** Opens /v0/events of a server as an event stream. */
export function openEvents(server: string, key: string, options: StreamOptions = {}) {
  return openStream<EventData>(`${server}/v0/events`, key, options);
}

/** Writes an event as workers do, by a connection of the test's own where one is given, and gives its id. */
export async function write(
  userId: string,
  { type = "instance.running", subject = "inst_x" }: { type?: EventType; subject?: string } = {},
  client?: Client,
): Promise<string> {
  const text = "INSERT INTO event (user_id, subject_id, type) VALUES ($1, $2, $3) RETURNING id::text";
  const values = [userId, subject, type];
  if (client) return (await client.query<{ id: string }>(text, values)).rows[0]?.id ?? "";
  const [row] = await db().$queryRawUnsafe<{ id: string }[]>(text, ...values);
  return row?.id ?? "";
}

/** A page of the list, with all that happened before in it. */
export async function list(key: string, query: Record<string, string | number> = {}) {
  await settle();
  return listNow(key, query);
}

/** A page of the list, with what is settled in it. */
export async function listNow(key: string, query: Record<string, string | number> = {}) {
  const { body, status } = await callApi(operations.listEvents, { key, query });
  expect(status).toBe(200);
  return { ids: body.data.map(({ id }) => id), total: body.total_items, events: body.data };
}

/** A connection for transactions that stay open; it is closed at the end of the test. */
export async function connect(): Promise<Client> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Resolves when no transaction that is open holds back an event: those of other tests' databases do so, too. */
export async function settle(): Promise<void> {
  await waitUntil("all events are settled", async () => {
    const rows = await db().$queryRaw<unknown[]>`
      SELECT 1 FROM event WHERE xact >= pg_snapshot_xmin(pg_current_snapshot()) LIMIT 1`;
    return rows.length === 0;
  });
}
