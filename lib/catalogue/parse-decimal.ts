const DECIMAL = /^(\d{1,12})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * A non-negative decimal as an integer of 10^-`places`, rounded half up: ("2.65", 6) is 2650000n.
 * Exact: no float in between. Null for anything that is not such a number.
 */
export function parseDecimal(text: string, places: number): bigint | null {
  const parts = DECIMAL.exec(text.trim());
  if (!parts) return null;
  const [, whole = "", fraction = "", exponent = "0"] = parts;
  const digits = BigInt(whole + fraction);
  const shift = places - fraction.length + Number(exponent);
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (digits + divisor / 2n) / divisor;
}

const MOST_MICRO_AN_HOUR = 10_000_000_000n;

/** USD an hour in micro-units, or null where it is not above 0 and at most 10,000 USD. */
export function parsePriceMicro(text: string): bigint | null {
  const micro = parseDecimal(text, 6);
  return micro !== null && micro > 0n && micro <= MOST_MICRO_AN_HOUR ? micro : null;
}
