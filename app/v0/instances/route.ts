import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { listInstances } from "@/lib/instances/list-instances";
import { presentInstances } from "@/lib/instances/present-page";

export const GET = route(operations.listInstances, async ({ ctx, query }) => {
  const { items, total } = await listInstances(ctx, query);
  return { data: await presentInstances(items, query.currency), total_items: total };
});
