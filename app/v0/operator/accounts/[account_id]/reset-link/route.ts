import { makeResetLink } from "@/lib/accounts/make-sign-in-link";
import { presentLink } from "@/lib/accounts/operator-presenter";
import { publicLink } from "@/lib/accounts/public-link";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const POST = route(operations.createResetLink, async ({ params }) => {
  return { data: presentLink(await makeResetLink(params.account_id, publicLink())) };
});
