import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** USD micro-units. */
const LOWEST = 50_000;
const HIGHEST = 5_000_000;

/**
 * Gives random offers random prices, so many in one statement and so many a second, until it is told to end.
 * @returns how many a second there were
 */
export async function repriceUntil(
  ended: AbortSignal,
  client: pg.Client,
  { aSecond, batch }: { aSecond: number; batch: number },
): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM offer WHERE price_micro IS NOT NULL AND catalogue_key IS NOT NULL",
  );
  const began = performance.now();
  let done = 0;
  while (!ended.aborted) {
    const ids = Array.from({ length: batch }, () => rows[randomBelow(rows.length)]?.id ?? "");
    const prices = ids.map(() => LOWEST + randomBelow(HIGHEST - LOWEST));
    await client.query({
      name: "reprice",
      text: `UPDATE offer o SET price_micro = given.price, updated_at = now()
             FROM unnest($1::text[], $2::bigint[]) given(id, price) WHERE o.id = given.id`,
      values: [ids, prices],
    });
    done += batch;
    await sleep(Math.max(0, began + (done / aSecond) * 1_000 - performance.now()));
  }
  return (done / (performance.now() - began)) * 1_000;
}

function randomBelow(most: number): number {
  return Math.floor(Math.random() * most);
}
