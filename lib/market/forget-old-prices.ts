import { PRICE_DAYS } from "../contract/gpu";
import { db } from "../db/client";

/** Deletes samples older than 400 days. */
export async function forgetOldPrices(): Promise<void> {
  await db()
    .$executeRaw`DELETE FROM price_sample WHERE at < now() - make_interval(days => ${PRICE_DAYS}::int)`;
}
