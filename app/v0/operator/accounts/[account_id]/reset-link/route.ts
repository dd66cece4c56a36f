import { makeResetLink } from "@/lib/accounts/make-sign-in-link";
import { presentLink } from "@/lib/accounts/operator-presenter";
import { operations } from "@/lib/contract/operations";
import { marketUrl } from "@/lib/http/market-url";
import { route } from "@/lib/http/route";

export const POST = route(operations.createResetLink, async ({ params, request }) => {
  return { data: presentLink(await makeResetLink(params.account_id, marketUrl(request))) };
});
