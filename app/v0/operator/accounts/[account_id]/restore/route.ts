import { suspendAccount } from "@/lib/accounts/suspend-account";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const POST = route(operations.restoreAccount, async ({ ctx, params }) => {
  await suspendAccount(params.account_id, false, ctx.userId);
  return { data: null };
});
