import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { listHosts } from "@/lib/hosts/list-hosts";
import { presentHost } from "@/lib/hosts/presenter";
import { route } from "@/lib/http/route";

export const GET = route(operations.listHosts, async ({ ctx, query }) => {
  const rate = await getRate(query.currency);
  const { items, total } = await listHosts(ctx, query);
  return { data: items.map((item) => presentHost(item, rate)), total_items: total };
});
