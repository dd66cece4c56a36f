import { getShownRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { suggestRelaxation } from "@/lib/market/suggest-relaxation";

export const POST = route(operations.suggestRelaxation, async ({ body }) => ({
  data: await suggestRelaxation({ filters: body.query, rate: await getShownRate(body.currency) }),
}));
