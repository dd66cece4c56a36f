import { inTransaction } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import { invalidField, notFound } from "../kernel/errors";
import { type Rate, toUsdMicro } from "../kernel/money";

const MOST_USD_MICRO = 10_000_000_000n;

/**
 * Sets the hourly price of the whole offer. Instances that run keep the price they were rented at.
 * @param price in the rate's currency
 * @throws DomainError not_found · ValidationError where it is not above 0 and at most 10,000 USD
 */
export function repriceHost(ctx: Ctx, hostId: string, price: number, rate: Rate): Promise<void> {
  const micro = toUsdMicro(price, rate);
  if (micro <= 0n || micro > MOST_USD_MICRO) {
    throw invalidField(["body", "price"], "Must be more than 0 and at most 10,000 USD an hour");
  }
  return inTransaction(async (tx) => {
    const hosts = await tx.$queryRaw<unknown[]>`
      UPDATE host SET updated_at = now(),
        status = CASE WHEN status_reason = 'price_not_set' THEN 'active' ELSE status END,
        status_reason = nullif(status_reason, 'price_not_set')
      WHERE id = ${hostId} AND user_id = ${ctx.userId} AND deleted_at IS NULL RETURNING id`;
    if (hosts.length === 0) throw notFound("host");
    await tx.$executeRaw`
      UPDATE offer SET price_micro = ${micro}, updated_at = now() WHERE host_id = ${hostId}`;
  });
}
