import { getShownRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { countFacets } from "@/lib/market/count-facets";

export const POST = route(operations.countMarketFacets, async ({ body }) => ({
  data: await countFacets({ filters: body.query, rate: await getShownRate(body.currency) }),
}));
