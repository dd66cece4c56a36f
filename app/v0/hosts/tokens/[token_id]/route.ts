import { revokeHostToken } from "@/lib/agents/revoke-host-token";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const DELETE = route(operations.revokeHostToken, async ({ ctx, params }) => {
  await revokeHostToken(ctx, params.token_id);
  return { data: null };
});
