import { currencies } from "../contract/words";
import { db } from "../db/client";
import { invalidField } from "../kernel/errors";
import { Known } from "../kernel/known";
import type { Rate } from "../kernel/money";

/** A rate with the time from which it holds. */
export interface DatedRate extends Rate {
  effectiveAt: Date;
}

/** The rate in force now. An operator sets rates, each with its time; the first ones are an example. */
export async function getRate(currency: Rate["currency"]): Promise<Rate> {
  if (currency === "USD") return { currency, unitsPerUsd: "1" };
  return getDatedRate(currency);
}

/** Less than the second within which every node shows a new rate. */
const KNOWN_MS = 900;

// Next bundles its route modules apart from the server around them, and a rate that one sets is the other's too.
const shared = globalThis as typeof globalThis & { berthRates?: Known<Rate> };

/** The same for what is only shown, as it was 900 ms ago at most: the search asks for it all day. Where money moves, `getRate` is asked. */
export function getShownRate(currency: Rate["currency"]): Promise<Rate> {
  shared.berthRates ??= new Known({ most: currencies.length, ms: KNOWN_MS });
  return shared.berthRates.get(currency, () => getRate(currency));
}

/** The same with since when it holds, also for USD. */
export async function getDatedRate(currency: Rate["currency"]): Promise<DatedRate> {
  const [row] = await db().$queryRaw<{ unitsPerUsd: string; effectiveAt: Date }[]>`
    SELECT trim_scale(units_per_usd)::text AS "unitsPerUsd", effective_at AS "effectiveAt" FROM exchange_rate
    WHERE currency = ${currency} AND effective_at <= now() ORDER BY effective_at DESC LIMIT 1`;
  if (!row) throw new Error(`no exchange rate for ${currency}`);
  return { currency, ...row };
}

/**
 * Sets the rate of a currency from now on. The ones before stay, so that what was shown under them can be explained;
 * of two in the same microsecond the later one holds, and nothing was ever shown under the other.
 * @param unitsPerUsd a decimal, such as "78.5"
 * @throws ValidationError for the US dollar, which is always 1, and for what is no usable rate
 */
export async function setRate(currency: Rate["currency"], unitsPerUsd: string): Promise<DatedRate> {
  if (currency === "USD")
    throw invalidField(["body", "currency"], "Prices are held in USD; its rate is always 1");
  if (!/^\d{1,9}(\.\d{1,10})?$/.test(unitsPerUsd) || Number(unitsPerUsd) === 0) {
    throw invalidField(
      ["body", "units_per_usd"],
      "Must be more than zero, with at most nine digits before the point and ten after it",
    );
  }
  const [row] = await db().$queryRaw<{ unitsPerUsd: string; effectiveAt: Date }[]>`
    INSERT INTO exchange_rate (currency, effective_at, units_per_usd) VALUES (${currency}, clock_timestamp(), ${unitsPerUsd}::numeric)
    ON CONFLICT (currency, effective_at) DO UPDATE SET units_per_usd = EXCLUDED.units_per_usd
    RETURNING trim_scale(units_per_usd)::text AS "unitsPerUsd", effective_at AS "effectiveAt"`;
  if (!row) throw new Error("the rate was not kept");
  shared.berthRates?.clear();
  return { currency, ...row };
}

/** A rate of the past or the future, or the one of now. */
export interface ListedRate extends DatedRate {
  inForce: boolean;
}

/** Every rate that was ever set, the newest first. */
export async function listRates(
  page: { start: number; limit: number | null } = { start: 0, limit: null },
): Promise<{ items: ListedRate[]; total: number }> {
  const [items, total] = await Promise.all([
    db().$queryRaw<ListedRate[]>`
      SELECT currency, trim_scale(units_per_usd)::text AS "unitsPerUsd", effective_at AS "effectiveAt",
        coalesce(effective_at = max(effective_at) FILTER (WHERE effective_at <= now()) OVER (PARTITION BY currency), false)
          AS "inForce"
      FROM exchange_rate ORDER BY effective_at DESC, currency OFFSET ${page.start} LIMIT ${page.limit}`,
    db().exchangeRate.count(),
  ]);
  return { items, total };
}
