import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { listProviders } from "@/lib/market/list-providers";

export const GET = route(operations.listProviders, async ({ query }) => {
  const { items, total } = await listProviders({
    sort: query.sort_by,
    start: query.start,
    limit: query.limit,
  });
  return { data: items, total_items: total };
});
