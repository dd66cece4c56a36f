import { type IncomingMessage, request } from "node:http";
import { onTestFinished } from "vitest";
import { waitUntil } from "./wait-until";

/** One event as it came over the wire; `data` is parsed. */
export interface ReceivedEvent<D> {
  id: string;
  event: string;
  data: D;
}

/** A client that follows, on a socket of its own. */
export interface StreamClient<D> {
  status: number;
  headers: Record<string, unknown>;
  /** Those that have an id, in the order that they came. */
  events: ReceivedEvent<D>[];
  /** Every other block: the comments, the first line and an end. */
  others: string[];
  /** Resolves with the first `count` events. */
  until(count: number): Promise<ReceivedEvent<D>[]>;
  /** Resolves when the server has ended it, with whether the answer was whole. */
  ended: Promise<boolean>;
  /** Cuts the connection. */
  cut(): void;
}

export interface StreamOptions {
  query?: string;
  lastEventId?: string;
  headers?: Record<string, string>;
}

/** Opens an address as an event stream; resolves with the headers. It is cut at the end of the test. */
export async function openStream<D>(
  address: string,
  key: string,
  options: StreamOptions = {},
): Promise<StreamClient<D>> {
  const headers: Record<string, string> = options.headers ?? { "x-api-key": key };
  headers.accept = "text/event-stream";
  if (options.lastEventId !== undefined) headers["last-event-id"] = options.lastEventId;
  const outgoing = request(`${address}${options.query ?? ""}`, { headers, agent: false });
  outgoing.on("error", () => undefined);
  onTestFinished(() => void outgoing.destroy());
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).once("error", reject).end();
  });
  const events: ReceivedEvent<D>[] = [];
  const others: string[] = [];
  let rest = "";
  incoming.setEncoding("utf8").on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock<D>(block);
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

function parseBlock<D>(block: string): ReceivedEvent<D> | undefined {
  const match = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block);
  if (!match) return undefined;
  const [, id = "", event = "", data = ""] = match;
  return { id, event, data: JSON.parse(data) };
}

export const idsOf = ({ events }: Pick<StreamClient<unknown>, "events">) => events.map(({ id }) => id);
