import { createApiKey } from "@/lib/accounts/create-api-key";
import { listApiKeys } from "@/lib/accounts/list-api-keys";
import { presentApiKey, presentNewApiKey } from "@/lib/accounts/presenter";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(operations.listApiKeys, async ({ ctx, query }) => {
  const { items, total } = await listApiKeys(ctx.userId, query);
  return { data: items.map(presentApiKey), total_items: total };
});

export const POST = route(operations.createApiKey, async ({ ctx, caller, body }) => {
  const made = await createApiKey({
    userId: ctx.userId,
    name: body.name,
    scopes: body.scopes,
    expiresInDays: body.expires_in_days,
    within: caller.scopes,
  });
  return { data: presentNewApiKey(made) };
});
