import { db } from "../db/client";
import { onMarket } from "./filter-conditions";

/**
 * Keeps what one GPU of each model costs in this hour (UTC), among what can be rented. The first to come in an hour writes
 * it, whichever worker; a model that comes to the market later in the hour is written then.
 */
export async function recordPrices(): Promise<void> {
  await db().$executeRaw`
    INSERT INTO price_sample (gpu_translit_name, at, low_micro, median_micro, offers_count)
    SELECT name, date_trunc('hour', now(), 'UTC'), min(micro), percentile_disc(0.5) WITHIN GROUP (ORDER BY micro), count(*)
    FROM (
      SELECT o.gpu_translit_name AS name, greatest(1, round(o.price_micro::numeric / greatest(o.gpu_amount, 1)))::bigint AS micro
      FROM offer o WHERE ${onMarket} AND o.rentable AND o.gpu_translit_name IS NOT NULL
    ) priced GROUP BY name
    ON CONFLICT DO NOTHING`;
}
