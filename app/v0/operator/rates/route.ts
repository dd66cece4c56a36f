import { listRates, setRate } from "@/lib/billing/exchange-rates";
import { presentRate } from "@/lib/billing/operator-presenter";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(operations.listRates, async ({ query }) => {
  const { items, total } = await listRates(query);
  return { data: items.map(presentRate), total_items: total };
});

export const PUT = route(operations.setRate, async ({ body }) => {
  const rate = await setRate(body.currency, body.units_per_usd);
  return { data: presentRate({ ...rate, inForce: true }) };
});
