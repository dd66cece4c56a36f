import { invalidField } from "../kernel/errors";
import { type Rate, toUsdMicro } from "../kernel/money";

const MOST_USD_MICRO = 10_000n * 1_000_000n;

/**
 * A host's hourly price, of the whole offer before discounts, in micro-units of USD.
 * @throws ValidationError
 */
export function hostPriceMicro(price: number, rate: Rate): bigint {
  const micro = toUsdMicro(price, rate);
  checkHostPrice(micro);
  return micro;
}

/** @throws ValidationError for what is not above zero or is over 10,000 USD an hour */
export function checkHostPrice(usdMicro: bigint): void {
  if (usdMicro <= 0n || usdMicro > MOST_USD_MICRO) {
    throw invalidField(["body", "price"], "Must be at least 0.000001 and at most 10,000 USD an hour");
  }
}
