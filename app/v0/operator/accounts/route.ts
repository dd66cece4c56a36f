import { createAccount } from "@/lib/accounts/create-account";
import { getAccount, listAccounts } from "@/lib/accounts/list-accounts";
import { makeSignInLink } from "@/lib/accounts/make-sign-in-link";
import { presentAccount } from "@/lib/accounts/operator-presenter";
import { operations } from "@/lib/contract/operations";
import { marketUrl } from "@/lib/http/market-url";
import { route } from "@/lib/http/route";

export const GET = route(operations.listOperatorAccounts, async ({ query }) => {
  const { items, total } = await listAccounts(query);
  return { data: items.map(presentAccount), total_items: total };
});

export const POST = route(operations.createOperatorAccount, async ({ body, request }) => {
  const { userId } = await createAccount(body);
  const { url } = await makeSignInLink(userId, marketUrl(request));
  return { data: { ...presentAccount(await getAccount(userId)), sign_in_link: url } };
});
