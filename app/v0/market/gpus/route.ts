import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { listGpus } from "@/lib/market/list-gpus";

export const GET = route(operations.listGpus, async ({ query: { currency, ...page } }) => {
  const { items, total } = await listGpus(page, await getRate(currency));
  return { data: items, total_items: total };
});
