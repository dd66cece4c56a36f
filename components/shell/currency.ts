"use client";

import { createContext, useContext } from "react";
import type { Currency } from "@/lib/contract/words";

export const CurrencyContext = createContext<Currency>("USD");

/** In what the visitor wants prices to be told. */
export function useCurrency(): Currency {
  return useContext(CurrencyContext);
}
