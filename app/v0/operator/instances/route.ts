import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { presentAnyInstance } from "@/lib/instances/operator-presenter";
import { searchInstances } from "@/lib/instances/search-instances";

export const GET = route(operations.listOperatorInstances, async ({ query }) => {
  const { items, total } = await searchInstances(query);
  return { data: items.map(presentAnyInstance), total_items: total };
});
