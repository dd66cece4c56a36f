import { presentNewApiKey } from "@/lib/accounts/presenter";
import { rollApiKey } from "@/lib/accounts/roll-api-key";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const POST = route(operations.rollApiKey, async ({ ctx, caller, params, body }) => {
  const { userId } = ctx;
  const graceHours = body.grace_hours;
  const made = await rollApiKey({ userId, keyId: params.key_id, graceHours, within: caller.scopes });
  return { data: presentNewApiKey(made) };
});
