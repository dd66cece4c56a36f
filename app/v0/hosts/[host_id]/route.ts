import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { deleteHost } from "@/lib/hosts/delete-host";
import { repriceHost } from "@/lib/hosts/reprice-host";
import { route } from "@/lib/http/route";

export const PUT = route(operations.updateHost, async ({ ctx, params, query, body }) => {
  await repriceHost(ctx, params.host_id, body.price, await getRate(query.currency));
  return { data: null };
});

export const DELETE = route(operations.deleteHost, async ({ ctx, params }) => {
  await deleteHost(ctx, params.host_id);
  return { data: null };
});
