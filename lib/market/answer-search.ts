import { JsonBytes } from "../kernel/json-bytes";
import { liveMarket } from "./index/live-index";
import type { IndexSearch } from "./index/offer-index";
import { presentMarketOffer } from "./presenter";
import { searchOffers } from "./search-offers";

/**
 * Section 4.2: the offers that match, a page of them, and how many match in all. From this node's memory where it holds the
 * market, and from the database where it does not; both answer the same.
 */
export async function answerSearch(search: IndexSearch) {
  const live = liveMarket();
  if (live) return new JsonBytes(await live.search(search));
  const { items, total } = await searchOffers(search);
  return { data: items.map((offer) => presentMarketOffer(offer, search.rate)), total_items: total };
}
