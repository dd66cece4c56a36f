import { type IncomingMessage, request } from "node:http";
import { Client } from "pg";
import { expect, onTestFinished } from "vitest";
import type { EventType } from "@/lib/contract/event";
import { operations } from "@/lib/contract/operations";
import { db } from "@/lib/db/client";
import { callApi } from "./api";
import { waitUntil } from "./wait-until";

/** One event as it came over the wire; `data` is parsed. */
export interface ReceivedEvent {
  id: string;
  event: string;
  data: { id: string; type: string; subject_id: string; data: Record<string, unknown>; at: string };
}

/** A client that follows, on a socket of its own. */
export interface EventClient {
  status: number;
  headers: Record<string, unknown>;
  /** In the order that they came. */
  events: ReceivedEvent[];
  /** Every block that is no event: the comments and the first line. */
  others: string[];
  /** Resolves with the first `count` events. */
  until(count: number): Promise<ReceivedEvent[]>;
  /** Resolves when the server has ended it, with whether the answer was whole. */
  ended: Promise<boolean>;
  /** Cuts the connection. */
  cut(): void;
}

/** Opens /v0/events of a server as an event stream; resolves with the headers. It is cut at the end of the test. */
export async function openEvents(
  server: string,
  key: string,
  options: { query?: string; lastEventId?: string; headers?: Record<string, string> } = {},
): Promise<EventClient> {
  const headers: Record<string, string> = options.headers ?? { "x-api-key": key };
  headers.accept = "text/event-stream";
  if (options.lastEventId !== undefined) headers["last-event-id"] = options.lastEventId;
  const outgoing = request(`${server}/v0/events${options.query ?? ""}`, { headers, agent: false });
  outgoing.on("error", () => undefined);
  onTestFinished(() => void outgoing.destroy());
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).once("error", reject).end();
  });
  const events: ReceivedEvent[] = [];
  const others: string[] = [];
  let rest = "";
  incoming.setEncoding("utf8").on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) events.push(event);
      else others.push(block);
    }
  });
  incoming.on("error", () => undefined);
  const ended = new Promise<boolean>((resolve) => incoming.once("close", () => resolve(incoming.complete)));
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    events,
    others,
    async until(count) {
      await waitUntil(`${count} events, not ${events.length}`, async () => events.length >= count);
      return events.slice(0, count);
    },
    ended,
    cut: () => void outgoing.destroy(),
  };
}

function parseBlock(block: string): ReceivedEvent | undefined {
  const match = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block);
  if (!match) return undefined;
  const [, id = "", event = "", data = ""] = match;
  return { id, event, data: JSON.parse(data) };
}

export const idsOf = ({ events }: EventClient) => events.map(({ id }) => id);

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
