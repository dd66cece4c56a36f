import type { BodyInput, Operations } from "../contract/operations";
import type { Currency } from "../contract/words";

/** What the start page shows: the cheapest that can be rented now. */
export function cheapestSearch(currency: Currency): BodyInput<Operations["searchMarket"]> {
  return { currency, query: { rentable: true }, sort_by: "price_asc", limit: 8 };
}
