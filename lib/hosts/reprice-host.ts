import { inTransaction } from "../db/client";
import type { Ctx } from "../kernel/ctx";
import type { Rate } from "../kernel/money";
import { hostPriceMicro } from "./host-price";
import { lockHost } from "./lock-host";
import { hostIs, restateHosts } from "./restate-hosts";

/**
 * Sets the hourly price of one's own host for later rentals; instances keep the price that they were rented at.
 * @param price of the whole offer before discounts, in the rate's currency
 * @throws DomainError not_found · ValidationError
 */
export async function repriceHost(ctx: Ctx, hostId: string, price: number, rate: Rate): Promise<void> {
  const priceMicro = hostPriceMicro(price, rate);
  await inTransaction(async (tx) => {
    await lockHost(tx, ctx.userId, hostId);
    await tx.offer.updateMany({ where: { hostId }, data: { priceMicro } });
    await restateHosts(tx, hostIs(hostId));
  });
}
