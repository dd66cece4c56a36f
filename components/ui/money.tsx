"use client";

import { useLocale } from "next-intl";
import { useCallback } from "react";
import { useCurrency } from "@/components/shell/currency";
import type { Currency } from "@/lib/contract/words";

/**
 * Writes amounts of the API: `price` with as many digits as a cent an hour needs, `sum` with two. QOIN is no code of
 * ISO 4217, so its name stands behind the number.
 */
export function useMoney(): (amount: number, kind?: "price" | "sum", currency?: Currency) => string {
  const locale = useLocale();
  const chosen = useCurrency();
  return useCallback(
    (amount, kind = "price", currency = chosen) => {
      const format = formatOf(locale, currency, kind === "sum" ? "2-2" : digitsOf(amount));
      return currency === "QOIN" ? `${format.format(amount)} QOIN` : format.format(amount);
    },
    [locale, chosen],
  );
}

/** The fewest and the most decimals. */
type Digits = "2-2" | "3-3" | "3-4";

function digitsOf(amount: number): Digits {
  const size = Math.abs(amount);
  if (size === 0 || size >= 100) return "2-2";
  return size >= 1 ? "3-3" : "3-4";
}

const formats = new Map<string, Intl.NumberFormat>();

/** Making a format costs a hundred times what using it does, and a table of offers writes thousands of amounts. */
function formatOf(locale: string, currency: Currency, digits: Digits): Intl.NumberFormat {
  const key = `${locale} ${currency} ${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const style =
    currency === "QOIN" ? {} : ({ style: "currency", currency, currencyDisplay: "narrowSymbol" } as const);
  const [minimumFractionDigits, maximumFractionDigits] = digits.split("-").map(Number);
  const made = new Intl.NumberFormat(locale, { ...style, minimumFractionDigits, maximumFractionDigits });
  formats.set(key, made);
  return made;
}
