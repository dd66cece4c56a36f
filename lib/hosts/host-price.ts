import { invalidField } from "../kernel/errors";
import { type Rate, toUsdMicro } from "../kernel/money";

const MOST_USD_MICRO = 10_000n * 1_000_000n;

/**
 * A host's hourly price, of the whole offer before discounts, in micro-units of USD.
 * @throws ValidationError for what is not above zero or is over 10,000 USD once converted
 */
export function hostPriceMicro(price: number, rate: Rate): bigint {
  const micro = toUsdMicro(price, rate);
  if (micro <= 0n) throw invalidField(["body", "price"], "Must be at least 0.000001 USD an hour");
  if (micro > MOST_USD_MICRO) throw invalidField(["body", "price"], "Must be at most 10,000 USD an hour");
  return micro;
}
