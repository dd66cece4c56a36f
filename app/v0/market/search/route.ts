import { getRate } from "@/lib/billing/exchange-rates";
import { operations } from "@/lib/contract/operations";
import { route } from "@/lib/http/route";
import { presentMarketOffer } from "@/lib/market/presenter";
import { searchOffers } from "@/lib/market/search-offers";

export const POST = route(operations.searchMarket, async ({ body }) => {
  const rate = await getRate(body.currency);
  const { items, total } = await searchOffers({
    filters: body.query,
    sort: body.sort_by,
    start: body.start,
    limit: body.limit,
    rate,
  });
  return { data: items.map((offer) => presentMarketOffer(offer, rate)), total_items: total };
});
