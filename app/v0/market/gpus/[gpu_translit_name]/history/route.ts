import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { listGpuPrices } from "@/lib/market/list-gpu-prices";

export const GET = route(operations.listGpuPrices, async ({ params, query: { days, currency } }) => {
  const { items, total } = await listGpuPrices(params.gpu_translit_name, days, await getRate(currency));
  return { data: items, total_items: total };
});
