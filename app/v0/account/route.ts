import { getAccount } from "@/lib/accounts/get-account";
import { presentAccount } from "@/lib/accounts/presenter";
import { updateAccount } from "@/lib/accounts/update-account";
import { operations } from "@/lib/contract/operations";
import { deleteAccount } from "@/lib/delete-account";
import { route } from "@/lib/http/route";

export const GET = route(operations.getAccount, async ({ ctx, caller }) => ({
  data: presentAccount(await getAccount(ctx), caller.scopes),
}));

export const PUT = route(operations.updateAccount, async ({ ctx, caller, body }) => ({
  data: presentAccount(await updateAccount(ctx, body), caller.scopes),
}));

export const DELETE = route(operations.deleteAccount, async ({ ctx, body }) => {
  await deleteAccount(ctx, { confirm: body.confirm, password: body.password });
  return { data: null };
});
