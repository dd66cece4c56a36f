import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { watchCaller } from "@/lib/http/watch-caller";
import { findLastChange, followMarketChanges } from "@/lib/market/follow-market-changes";

export const GET = route(
  operations.followMarketChanges,
  async () => ({ data: { at: (await findLastChange())?.toISOString() ?? null } }),
  {
    "text/event-stream": async ({ ctx, request }) => {
      const isAgain = Boolean(request.headers.get("last-event-id"));
      return followMarketChanges(ctx, { isAgain, ...watchCaller(request, operations.followMarketChanges) });
    },
  },
);
