import { type Operations, operations, type Query } from "@/lib/contract/operations";
import { isLineId, LINE_ID_WANTED } from "@/lib/contract/telemetry";
import { route } from "@/lib/http/route";
import { watchCaller } from "@/lib/http/watch-caller";
import { invalidField } from "@/lib/kernel/errors";
import { followLogs } from "@/lib/telemetry/follow-logs";
import { type LineCursor, listLogs } from "@/lib/telemetry/list-logs";
import { presentLine } from "@/lib/telemetry/presenter";

type LogsQuery = Query<Operations["listInstanceLogs"]>;

export const GET = route(
  operations.listInstanceLogs,
  async ({ ctx, params, query }) => {
    const { items, total } = await listLogs(ctx, params.instance_id, { ...query, cursor: afterOf(query) });
    return { data: items.map(presentLine), total_items: total };
  },
  {
    "text/event-stream": async ({ ctx, params, query, request }) => {
      const watch = watchCaller(request, operations.listInstanceLogs);
      return followLogs(ctx, params.instance_id, { ...query, cursor: cursorOf(request, query), ...watch });
    },
  },
);

function afterOf({ after }: LogsQuery): LineCursor | undefined {
  return after === undefined ? undefined : { id: after, loc: ["query", "after"] };
}

/** The header wins: a browser that connects again sends it beside the address that it began with. */
function cursorOf(request: Request, query: LogsQuery): LineCursor | undefined {
  const id = request.headers.get("last-event-id");
  if (!id) return afterOf(query);
  if (!isLineId(id)) throw invalidField(["header", "Last-Event-ID"], LINE_ID_WANTED);
  return { id, loc: ["header", "Last-Event-ID"] };
}
