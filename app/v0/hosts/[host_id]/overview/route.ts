import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { getHostOverview } from "@/lib/hosts/get-host-overview";
import { presentOverview } from "@/lib/hosts/presenter";
import { route } from "@/lib/http/route";
import { toUsdMicro } from "@/lib/kernel/money";

export const GET = route(operations.getHostOverview, async ({ ctx, params, query }) => {
  const rate = await getRate(query.currency);
  const priceMicro = query.price === undefined ? null : toUsdMicro(query.price, rate);
  return { data: presentOverview(await getHostOverview(ctx, params.host_id, priceMicro), rate) };
});
