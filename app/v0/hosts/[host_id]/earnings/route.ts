import { presentEarnings } from "@/lib/billing/presenter";
import { operations } from "@/lib/contract/operations";
import { listHostEarnings } from "@/lib/hosts/list-host-earnings";
import { route } from "@/lib/http/route";

export const GET = route(operations.listHostEarnings, async ({ ctx, params, query }) => {
  const { items, total } = await listHostEarnings(ctx, params.host_id, query);
  return { data: items.map((item) => presentEarnings(item, query.currency)), total_items: total };
});
