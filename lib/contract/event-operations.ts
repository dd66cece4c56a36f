import type { z } from "zod";
import { listEnvelope } from "./common";
import { event, listEventsQuery } from "./event";
import { examples } from "./examples";
import { defineOperation } from "./operation";

const eventExample = {
  id: "90417",
  type: "instance.paused",
  subject_id: examples.ids.instance,
  data: { reason: "money_ended" },
  at: "2026-03-01T12:00:00.000Z",
} satisfies z.output<typeof event>;

/** What happened to one's own things. */
export const eventOperations = {
  listEvents: defineOperation({
    id: "listEvents",
    method: "GET",
    path: "/v0/events",
    tag: "Billing",
    summary: "List or follow what happened to one's own things",
    description: `State changes of one's instances and warnings about one's money, in an order that never changes: what is
answered later comes later, so that reading on \`after\` the last id loses and repeats nothing. Without \`after\`, the newest
\`limit\` events, the oldest of them first. \`total_items\` counts all that come after the cursor and match.

With \`Accept: text/event-stream\` the answer follows: it goes on as things happen, without \`limit\`. Each event is

    id: ${eventExample.id}
    event: ${eventExample.type}
    data: ${JSON.stringify(eventExample)}

It begins after the event that the header \`Last-Event-ID\` names (as an \`EventSource\` sends it when it connects again), else
\`after\`, else with what happens from now on. Lines that begin with a colon keep the connection alive, every 15 seconds. It ends
after 10 minutes, when the node stops, and within 15 seconds of the key losing its right: connect again with the last id. One
account can follow 20 times at once on a node; more is a 429.`,
    scope: "billing:read",
    query: listEventsQuery,
    response: listEnvelope(event),
    alternatives: ["text/event-stream"],
    errors: [],
    example: {
      query: { after: "90416", type: "instance.paused", limit: "20" },
      response: { ok: true, data: [eventExample], total_items: 1 },
    },
  }),
};
