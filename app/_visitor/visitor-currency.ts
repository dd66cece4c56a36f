import { cookies } from "next/headers";
import { CURRENCY_COOKIE, toCurrency } from "@/lib/client/currency";
import type { Currency } from "@/lib/contract/words";

/** In what the visitor wants prices to be told. */
export async function visitorCurrency(): Promise<Currency> {
  return toCurrency((await cookies()).get(CURRENCY_COOKIE)?.value);
}
