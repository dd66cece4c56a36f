import { revokeApiKey } from "@/lib/accounts/revoke-api-key";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const DELETE = route(operations.revokeApiKey, async ({ ctx, params }) => {
  await revokeApiKey(params.key_id, ctx.userId);
  return { data: null };
});
