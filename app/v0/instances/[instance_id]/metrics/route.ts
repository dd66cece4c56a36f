import { timestamp } from "@/lib/contract/common";
import { type Moment, parseMoment } from "@/lib/contract/moment";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { watchCaller } from "@/lib/http/watch-caller";
import { invalidField } from "@/lib/kernel/errors";
import { followMetrics } from "@/lib/telemetry/follow-metrics";
import { listMetrics } from "@/lib/telemetry/list-metrics";
import { presentPoint } from "@/lib/telemetry/presenter";

export const GET = route(
  operations.listInstanceMetrics,
  async ({ ctx, params, query }) => {
    const { items, step } = await listMetrics(ctx, params.instance_id, query);
    return { data: items.map(presentPoint), total_items: items.length, step };
  },
  {
    "text/event-stream": async ({ ctx, params, query, request }) => {
      const watch = watchCaller(request, operations.listInstanceMetrics);
      return followMetrics(ctx, params.instance_id, {
        from: query.from,
        behind: cursorOf(request),
        ...watch,
      });
    },
  },
);

function cursorOf(request: Request): Moment | undefined {
  const id = request.headers.get("last-event-id");
  if (!id) return undefined;
  if (timestamp.safeParse(id).success) return parseMoment(id);
  throw invalidField(
    ["header", "Last-Event-ID"],
    "Must be the time of a point, as an event of this stream has it",
  );
}
