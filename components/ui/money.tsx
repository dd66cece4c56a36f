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
      const digits = kind === "sum" ? 2 : digitsOf(amount);
      const numbers = { minimumFractionDigits: Math.min(2, digits), maximumFractionDigits: digits };
      if (currency === "QOIN") return `${new Intl.NumberFormat(locale, numbers).format(amount)} QOIN`;
      const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const;
      return new Intl.NumberFormat(locale, { ...style, ...numbers }).format(amount);
    },
    [locale, chosen],
  );
}

function digitsOf(amount: number): number {
  const size = Math.abs(amount);
  if (size === 0 || size >= 100) return 2;
  return size >= 1 ? 3 : 4;
}
