import { getDatedRate } from "@/lib/billing/exchange-rates";
import { getBilling } from "@/lib/billing/get-billing";
import { presentBilling } from "@/lib/billing/presenter";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";

export const GET = route(operations.getBilling, async ({ ctx, query }) => {
  const [state, rate] = await Promise.all([getBilling(ctx), getDatedRate(query.currency)]);
  return { data: presentBilling(state, rate) };
});
