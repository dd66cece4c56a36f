import { type Currency, currencies } from "../contract/words";

export const CURRENCY_COOKIE = "berth_currency";

/** What a cookie or an address says, or USD. */
export function toCurrency(value: string | undefined): Currency {
  return currencies.find((currency) => currency === value) ?? "USD";
}
