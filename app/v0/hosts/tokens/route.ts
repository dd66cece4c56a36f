import { createHostToken } from "@/lib/agents/create-host-token";
import { listHostTokens } from "@/lib/agents/list-host-tokens";
import { presentHostToken, presentNewHostToken } from "@/lib/agents/presenter";
import { operations } from "@/lib/contract/operations";
import { marketUrl } from "@/lib/http/market-url";
import { route } from "@/lib/http/route";

export const GET = route(operations.listHostTokens, async ({ ctx, query }) => {
  const { items, total } = await listHostTokens(ctx, query);
  return { data: items.map(presentHostToken), total_items: total };
});

export const POST = route(operations.createHostToken, async ({ ctx, body, request }) => {
  const made = await createHostToken(ctx.userId, body.expires_in_hours);
  return { data: presentNewHostToken(made, marketUrl(request)) };
});
