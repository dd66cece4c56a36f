import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { getOffer } from "@/lib/market/get-offer";
import { presentMarketOffer } from "@/lib/market/presenter";

export const GET = route(operations.getOffer, async ({ params, query }) => {
  const rate = await getRate(query.currency);
  return { data: presentMarketOffer(await getOffer(params.offer_id), rate) };
});
