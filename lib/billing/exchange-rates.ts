import { db } from "../db/client";
import type { Rate } from "../kernel/money";

/** The rate in force now. An operator sets rates, each with its time; the first ones are an example. */
export async function getRate(currency: Rate["currency"]): Promise<Rate> {
  if (currency === "USD") return { currency, unitsPerUsd: "1" };
  const [row] = await db().$queryRaw<{ unitsPerUsd: string }[]>`
    SELECT units_per_usd::text AS "unitsPerUsd" FROM exchange_rate
    WHERE currency = ${currency} AND effective_at <= now() ORDER BY effective_at DESC LIMIT 1`;
  if (!row) throw new Error(`no exchange rate for ${currency}`);
  return { currency, unitsPerUsd: row.unitsPerUsd };
}
