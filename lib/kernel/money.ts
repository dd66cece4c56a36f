/** Units of a currency for one USD, as a decimal string. */
export interface Rate {
  currency: "USD" | "RUB" | "QOIN";
  unitsPerUsd: string;
}

const MICRO_DIGITS = 6;

/** An exact fraction, so that no price passes through binary floating point. */
interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Reads a decimal, also in the exponent form that JavaScript prints for small and large numbers. */
function toFraction(value: number | string): Fraction {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value));
  if (!match) throw new RangeError("not a decimal number");
  const [, sign = "", whole = "0", part = "", exponent = "0"] = match;
  const digits = BigInt(whole + part) * (sign ? -1n : 1n);
  const scale = Number(exponent) - part.length;
  return scale >= 0
    ? { numerator: digits * 10n ** BigInt(scale), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-scale) };
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return -floorDivide(-a, b);
}

/** a / b for b > 0, half away from zero for positive a. */
export function divideHalfUp(a: bigint, b: bigint): bigint {
  return floorDivide(2n * a + b, 2n * b);
}

/** @returns how many decimals a number has when written out */
export function countDecimals(value: number): number {
  const { denominator } = toFraction(value);
  return denominator.toString().length - 1;
}

/** Micro-units as the JSON number of an answer. Exact up to 9 billion units. */
export function microToNumber(micro: bigint): number {
  return Number(micro) / 1e6;
}

/** A decimal amount in micro-units, half-up beyond six decimals. */
export function decimalToMicro(amount: number | string): bigint {
  const { numerator, denominator } = toFraction(amount);
  return divideHalfUp(numerator * 10n ** BigInt(MICRO_DIGITS), denominator);
}

/** Micro-units of USD in micro-units of the rate's currency, half-up. What answers show and filters compare. */
export function convertMicro(usdMicro: bigint, rate: Rate): bigint {
  const { numerator, denominator } = toFraction(rate.unitsPerUsd);
  return divideHalfUp(usdMicro * numerator, denominator);
}

/** An amount of the rate's currency in micro-units of USD, half-up. */
export function toUsdMicro(amount: number, rate: Rate): bigint {
  const units = toFraction(rate.unitsPerUsd);
  const given = toFraction(amount);
  return divideHalfUp(
    given.numerator * units.denominator * 10n ** BigInt(MICRO_DIGITS),
    given.denominator * units.numerator,
  );
}

/**
 * The smallest USD price whose shown number is greater than `bound`: a filter in another currency compares what the
 * answer shows, yet runs on the stored price. Half-up is monotone, so the bound has one exact counterpart.
 */
export function smallestUsdMicroAbove(bound: number, rate: Rate): bigint {
  const { numerator, denominator } = toFraction(bound);
  const shown = floorDivide(numerator * 10n ** BigInt(MICRO_DIGITS), denominator) + 1n;
  return smallestShownAs(shown, rate);
}

/** The smallest USD price whose shown number is at least `bound`. */
export function smallestUsdMicroAtLeast(bound: number, rate: Rate): bigint {
  const { numerator, denominator } = toFraction(bound);
  return smallestShownAs(ceilDivide(numerator * 10n ** BigInt(MICRO_DIGITS), denominator), rate);
}

/** The largest USD price whose shown number is less than `bound`. */
export function largestUsdMicroBelow(bound: number, rate: Rate): bigint {
  const { numerator, denominator } = toFraction(bound);
  const shown = ceilDivide(numerator * 10n ** BigInt(MICRO_DIGITS), denominator);
  return smallestShownAs(shown, rate) - 1n;
}

/** The smallest p with half-up(p × rate) ≥ shown, which is p × rate ≥ shown − ½. */
function smallestShownAs(shown: bigint, rate: Rate): bigint {
  const { numerator, denominator } = toFraction(rate.unitsPerUsd);
  return ceilDivide((2n * shown - 1n) * denominator, 2n * numerator);
}
