import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  convertMicro,
  countDecimals,
  decimalToMicro,
  divideHalfUp,
  largestUsdMicroBelow,
  microToNumber,
  type Rate,
  smallestUsdMicroAbove,
  toUsdMicro,
} from "@/lib/kernel/money";

const prices = fc.bigInt({ min: 0n, max: 10_000_000_000n });
const rates = fc
  .record({
    currency: fc.constantFrom<Rate["currency"]>("USD", "RUB", "QOIN"),
    units: fc.bigInt({ min: 1n, max: 10_000_000_000_000n }),
  })
  .map(({ currency, units }): Rate => ({ currency, unitsPerUsd: writeDecimal(units, 10) }));

/** 1234567, 6 → "1.234567" */
function writeDecimal(digits: bigint, decimals: number): string {
  const text = digits.toString().padStart(decimals + 1, "0");
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

describe("money", () => {
  it("MON-01 reads decimals exactly, in every form that JavaScript prints", () => {
    expect(decimalToMicro("0.1")).toBe(100_000n);
    expect(decimalToMicro(0.1 + 0.2)).toBe(300_000n);
    expect(decimalToMicro(1e-7)).toBe(0n);
    expect(decimalToMicro("5e-7")).toBe(1n);
    expect(decimalToMicro("0.0000004999999")).toBe(0n);
    expect(decimalToMicro(1e21)).toBe(10n ** 27n);
    expect(decimalToMicro("-1.5")).toBe(-1_500_000n);
    expect(decimalToMicro(-0)).toBe(0n);
  });

  it.each(["", " ", "abc", "1.", ".5", "1,5", "0x10", "1e", "--1", "NaN", "Infinity", "1 ", "١"])(
    "MON-02 refuses %j as an amount",
    (text) => {
      expect(() => decimalToMicro(text)).toThrow(RangeError);
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("MON-02 refuses the number %d", (value) => {
    expect(() => decimalToMicro(value)).toThrow(RangeError);
  });

  it("MON-03 gives every price as the JSON number that is read back as the same price", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (micro) => {
        expect(decimalToMicro(JSON.parse(JSON.stringify(microToNumber(micro))))).toBe(micro);
      }),
    );
  });

  it("MON-04 rounds half up: the result is never farther than half a unit, and a tie goes up", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (a, b) => {
          const twiceOff = 2n * (a - divideHalfUp(a, b) * b);
          expect(twiceOff >= -b && twiceOff < b).toBe(true);
        },
      ),
    );
  });

  it("MON-05 converts to another currency as exact arithmetic does", () => {
    const rub: Rate = { currency: "RUB", unitsPerUsd: "80.0000000000" };
    expect(convertMicro(500_000n, rub)).toBe(40_000_000n);
    expect(convertMicro(1n, { currency: "RUB", unitsPerUsd: "0.5" })).toBe(1n);
    expect(convertMicro(1n, { currency: "RUB", unitsPerUsd: "0.4999999999" })).toBe(0n);
    fc.assert(
      fc.property(prices, rates, (price, rate) => {
        const exact = price * BigInt(rate.unitsPerUsd.replace(".", ""));
        expect(convertMicro(price, rate)).toBe((2n * exact + 10n ** 10n) / (2n * 10n ** 10n));
      }),
    );
  });

  it("MON-06 leaves an amount of dollars as it is", () => {
    const usd: Rate = { currency: "USD", unitsPerUsd: "1" };
    fc.assert(
      fc.property(prices, (price) => {
        expect(convertMicro(price, usd)).toBe(price);
        expect(toUsdMicro(microToNumber(price), usd)).toBe(price);
      }),
    );
  });

  it("MON-07 a price bound on stored dollars chooses exactly the prices that the answer shows beyond it", () => {
    const bounds = fc.oneof(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      prices.map(microToNumber),
      fc.constantFrom(0, 1e-7, 1e-320, 0.1 + 0.2, 1e300),
    );
    fc.assert(
      fc.property(prices, bounds, rates, (price, bound, rate) => {
        // Compared as exact decimals: the shown number is micro-units, the bound is what was sent.
        const shown = convertMicro(price, rate);
        expect(price >= smallestUsdMicroAbove(bound, rate)).toBe(compare(shown, bound) > 0);
        expect(price <= largestUsdMicroBelow(bound, rate)).toBe(compare(shown, bound) < 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it("MON-08 finds the exact neighbours of a price that is itself the bound", () => {
    fc.assert(
      fc.property(prices, rates, (price, rate) => {
        const bound = microToNumber(convertMicro(price, rate));
        expect(smallestUsdMicroAbove(bound, rate)).toBeGreaterThan(price);
        expect(largestUsdMicroBelow(bound, rate)).toBeLessThan(price);
      }),
    );
  });

  it.each([
    [0, 0],
    [1, 0],
    [1.5, 1],
    [0.000001, 6],
    [1e-7, 7],
    [1e21, 0],
    [123.456789, 6],
  ])("MON-09 counts the decimals of %d as %d", (value, decimals) => {
    expect(countDecimals(value)).toBe(decimals);
  });
});

/** Sign of micro-units against a number, without rounding either. */
function compare(micro: bigint, bound: number): number {
  const [mantissa = "", exponent = "0"] = String(bound).split("e");
  const [whole = "", part = ""] = mantissa.split(".");
  const scale = Number(exponent) - part.length;
  const digits = BigInt(whole + part);
  const left = scale < 0 ? micro * 10n ** BigInt(-scale) : micro;
  const right = digits * 10n ** 6n * (scale > 0 ? 10n ** BigInt(scale) : 1n);
  return left < right ? -1 : left > right ? 1 : 0;
}
