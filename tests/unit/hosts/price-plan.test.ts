import { describe, expect, test } from "vitest";
import { readPercent, readPrice } from "@/components/hosts/new-price";
import { planPrice, type Wish } from "@/components/hosts/price-plan";
import { examples } from "@/lib/contract/examples";

const exactly = 1n;
const cents = 10_000n;

function plan(price: number | null, wish: Wish) {
  const { next, why } = planPrice(
    { ...examples.host, offer: { ...examples.host.offer, real_price: price } },
    wish,
  );
  return next ?? why;
}

describe("prices of many hosts", () => {
  test("WEB-64 reads a typed price and a change in whole millionths, with a point or a comma", () => {
    expect(["0.5", "0,5", " 12 ", "0.000001", "999999999"].map(readPrice)).toEqual([
      500_000n,
      500_000n,
      12_000_000n,
      1n,
      999_999_999_000_000n,
    ]);
    for (const wrong of ["", "0", "-1", "1e3", "1.2.3", "0.0000001", "$1", "NaN"])
      expect(readPrice(wrong)).toBeNull();
    expect(["-10", "+5 %", "2,5", "−0.01"].map(readPercent)).toEqual([-1_000n, 500n, 250n, -1n]);
    for (const wrong of ["", "-100", "-250", "1.234", "five"]) expect(readPercent(wrong)).toBeNull();
  });

  test("WEB-65 says what each host would cost, rounded half up, or why it stays", () => {
    expect(plan(0.333, { mode: "change", text: "-10", step: exactly })).toBe(0.2997);
    expect(plan(0.333, { mode: "change", text: "-10", step: cents })).toBe(0.3);
    expect(plan(0.125, { mode: "change", text: "0", step: cents })).toBe(0.13);
    expect(plan(10_000, { mode: "change", text: "50", step: exactly })).toBe(15_000);
    expect(plan(null, { mode: "set", text: "0,42", step: cents })).toBe(0.42);
    expect(plan(null, { mode: "change", text: "5", step: cents })).toBe("skipped");
    expect(plan(0.42, { mode: "set", text: "0.42", step: cents })).toBe("same");
    expect(plan(0.42, { mode: "set", text: "0.004", step: cents })).toBe("tooLow");
    expect(plan(0.42, { mode: "set", text: "", step: cents })).toBe("untyped");
  });
});
