import { type Operations, operations, type Query } from "@/lib/contract/operations";
import { followEvents } from "@/lib/events/follow-events";
import { type EventCursor, listEvents } from "@/lib/events/list-events";
import { presentEvent } from "@/lib/events/presenter";
import { route } from "@/lib/http/route";
import { watchCaller } from "@/lib/http/watch-caller";

type EventsQuery = Query<Operations["listEvents"]>;

export const GET = route(
  operations.listEvents,
  async ({ ctx, query }) => {
    const { items, total } = await listEvents(ctx, filtersOf(query), query);
    return { data: items.map(presentEvent), total_items: total };
  },
  {
    "text/event-stream": ({ ctx, query, request }) => {
      const watch = watchCaller(request, operations.listEvents);
      return followEvents(ctx, { filters: filtersOf(query), cursor: cursorOf(request, query), ...watch });
    },
  },
);

function filtersOf({ type, subject_id }: EventsQuery) {
  return { type, subjectId: subject_id };
}

/** The header wins: a browser that connects again sends it beside the address that it began with. */
function cursorOf(request: Request, { after }: EventsQuery): EventCursor | undefined {
  const last = request.headers.get("last-event-id");
  if (last) return { id: last, loc: ["header", "Last-Event-ID"] };
  return after === undefined ? undefined : { id: after, loc: ["query", "after"] };
}
