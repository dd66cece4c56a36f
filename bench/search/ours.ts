import type { OfferFacts } from "../../lib/market/index/offer-facts";
import { OfferIndex } from "../../lib/market/index/offer-index";
import type { Engine } from "./engine";
import { providers } from "./offers";

export function openEngine(offers: Iterable<OfferFacts>): Engine {
  const index = new OfferIndex();
  index.setNames(providers, []);
  for (const offer of offers) index.put(offer);
  for (const _ of index.rebin());
  return {
    name: "Berth, in memory",
    searches: { "": (body) => index.search(body, 0) },
    countFacets: (body) => index.countFacets(body, 0),
  };
}
