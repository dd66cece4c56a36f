import { listUsage } from "@/lib/billing/list-usage";
import { presentUsage } from "@/lib/billing/presenter";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(operations.listBillingUsage, async ({ ctx, query }) => {
  const { items, total } = await listUsage(ctx, { ...query, instanceId: query.instance_id });
  return { data: items.map((item) => presentUsage(item, query.currency)), total_items: total };
});
